"""Where the real logs of other people's evaluations lie, for the tests that read them in place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_PLACE = Path(__file__).parents[3] / "shared" / "logs"


@pytest.fixture(scope="session")
def real_logs() -> Path:
    """The folder of real logs; the test is skipped where it is not.

    None of them is part of the project: some state no licence. BENCHAUDIT_REAL_LOGS names another
    place.
    """
    folder = Path(os.environ.get("BENCHAUDIT_REAL_LOGS", _PLACE))
    if not (folder / "INDEX.json").is_file():
        pytest.skip(f"no real logs in {folder} (BENCHAUDIT_REAL_LOGS names their folder)")
    return folder
