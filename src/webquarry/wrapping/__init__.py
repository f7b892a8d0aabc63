"""Learn from sample pages how the pages of a source are structured, correct that, and read pages by it."""
