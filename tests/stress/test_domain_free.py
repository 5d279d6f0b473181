"""The engine knows no benchmark: by its words and by its imports."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import benchaudit

STRESS = Path(benchaudit.__file__).parent / "stress"
MODULES = sorted(STRESS.glob("*.py"))

LIGHT = ("adversary", "environment", "episode", "policies", "loading", "schedules", "wrapper")
"""What a worker process needs: nothing beyond the standard library."""


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_names_a_benchmark(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    for word in ("comtrade", "trade", "record_id", "page(", "coverage"):
        assert word not in text


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_no_module_imports_an_adapter_or_a_stage(path: Path) -> None:
    for name in imports(path):
        if name.startswith("benchaudit"):
            assert name == "benchaudit" or name.startswith(
                ("benchaudit.stress", "benchaudit.statistics", "benchaudit.evidence")
            )


@pytest.mark.parametrize("name", (*LIGHT, "trials", "decisions"))
def test_the_core_needs_the_standard_library_alone(name: str) -> None:
    heavy = {"numpy", "scipy", "pydantic", "click", "benchaudit.statistics"}
    assert not imports(STRESS / f"{name}.py") & heavy
