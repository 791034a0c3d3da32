"""The pages: another thin door to the services, for people with a browser."""
