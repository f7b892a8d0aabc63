"""Measure the pages and time that queries need, and compare with shillelagh, sqlglot and plain loops."""
