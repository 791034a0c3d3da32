"""The pages, one module a noun: a route, what the page shows, and which template shows it."""
