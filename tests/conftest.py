"""For all tests: programs that they start can be interrupted.

A shell that starts a job in the background lets it ignore Ctrl-C, and so do all programs below it, unless somebody on
the way has a handler.
"""

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
