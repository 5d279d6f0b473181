"""Reads the run logs of evaluations that others ran, and reports what repeated runs show.

`read_logs` turns files and folders of any supported format into `Run` values, one at a time.
"""

from benchaudit.logs.reading import read_logs
from benchaudit.logs.runs import LogError, Note, Outcome, Run, Serving

__all__ = ["LogError", "Note", "Outcome", "Run", "Serving", "read_logs"]
