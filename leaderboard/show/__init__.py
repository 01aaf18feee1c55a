"""Tables of results for terminals, documents and spreadsheets."""
