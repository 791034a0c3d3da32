"""Rooms of organizers, as they are sent."""
