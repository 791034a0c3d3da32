"""For all tests: programs that they start can be interrupted, and keep what Python compiled.

A shell that starts a job in the background lets it ignore Ctrl-C, and so do all programs below it, unless somebody on
the way has a handler. Where Python was told to keep nothing, each program would compile hundreds of modules anew.
"""

import os
import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
