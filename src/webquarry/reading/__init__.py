"""Reading: documents to articles, the main text of a page with its nodes."""
