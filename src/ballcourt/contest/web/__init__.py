"""The contest in a browser and for programs: the application, its guard, its pages and its API."""
