"""What happened, on a page and as feeds: found in what is kept already, so there is no list of it anywhere."""
