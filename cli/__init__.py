"""The command line: a thin door to the same services as the API and the pages."""
