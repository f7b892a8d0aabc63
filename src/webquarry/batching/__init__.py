"""Work through many pages in shards: resumable, on all cores of a machine or on many machines."""
