"""Compare main texts, ours and the peers', with the true texts of pages."""
