"""Tables as files for any web server: the arena runs in the pages themselves, in Pyodide."""
