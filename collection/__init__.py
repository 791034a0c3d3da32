"""The collection on a chain: deploying it, issuing cards, a local chain to try it on, and fixtures for tests."""
