"""Mining: a document to its regions of records, and the records to columns."""
