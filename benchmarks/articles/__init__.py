"""Main texts of pages: ours beside the peers, in one run.

truths     the pages of the corpora with their true texts, and what kind each is
readers    who reads: our methods and the peers
comparing  the tables: right words and shingles by kind and half, and what a page costs
"""
