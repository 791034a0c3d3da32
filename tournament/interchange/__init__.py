"""Events in other programs' files: text in, values out, and back. No file is opened here."""
