"""The contest in a browser and for programs: the application, its doors, its pages and its API."""
