"""Store results in files and databases, completely or not at all."""
