"""The tournament's rules: pure values and functions, no I/O, no framework, no clock."""
