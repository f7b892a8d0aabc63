"""Clean pages: from bytes to a document, the tree that later stages read."""
