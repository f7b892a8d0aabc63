"""Reasons in words: `describing.py` finds what tells nodes apart, `phrases.py` and `colour_names.py` say it."""
