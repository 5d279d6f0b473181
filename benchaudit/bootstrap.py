"""Starts a worker in any environment's Python: makes this package importable, and nothing else.

Run by path. The folder of the host's packages stays out of ``sys.path``: what a benchmark imports
is what its own environment holds.
"""

import importlib.util
import os
import sys


def register() -> None:
    """Register ``benchaudit`` as the package in this file's folder."""
    folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - before imports
    spec = importlib.util.spec_from_file_location(
        "benchaudit",
        os.path.join(folder, "__init__.py"),  # noqa: PTH118
        submodule_search_locations=[folder],
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["benchaudit"] = package
    spec.loader.exec_module(package)


if __name__ == "__main__":
    register()
    from benchaudit.worker import main

    main()
