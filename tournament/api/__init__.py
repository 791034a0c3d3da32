"""The HTTP API: a thin door to the services."""
