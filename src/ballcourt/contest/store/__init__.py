"""The contest's database and files: its tables, its transactions, and the open contest that everything else takes."""
