"""Score results against true ones: records, columns, tables, sections and main texts."""
