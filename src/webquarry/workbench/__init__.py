"""Show what was found on the page itself, correct it by clicking, query it and check it: a server for one browser."""
