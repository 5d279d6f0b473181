"""BenchAudit: validity cards for agent benchmarks.

This module stays empty of imports: it is loaded inside benchmark environments that hold any
version of anything, and by every start of the command.
"""

__version__ = "0.1.0"
