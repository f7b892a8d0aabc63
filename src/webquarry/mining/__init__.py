"""Mine regions of records from a document, and align the records in columns."""
