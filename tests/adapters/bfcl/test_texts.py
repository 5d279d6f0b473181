"""When a text surely means something else: the reasons, and what stays undecided."""

from __future__ import annotations

from typing import Any

import pytest

from benchaudit import packs

BFCL = packs.find("adapters", "bfcl")
difference = BFCL.module("texts").difference
differ = BFCL.module("formulas").differ

ENUM = {"enum": ["air_clean", "Pet Friendly"]}
FORMULA = {"description": "The function to integrate."}


@pytest.mark.parametrize(
    ("key", "text", "name", "schema", "language"),
    [
        ("London", "Mpoepo", "city", {}, "python"),
        ("London", "L\u043endon", "city", {}, "python"),
        ("London", "Lon\u200bdon", "city", {}, "python"),
        ("1.5", "15", "dose", {}, "python"),
        ("1.25", "12.5", "dose", {}, "python"),
        ("1.5", "1/5", "dose", {}, "python"),
        ("-5", "5", "change", {}, "python"),
        ("5.5 km", "55 km", "distance", {}, "python"),
        ("1/2 cup", "12 cup", "amount", {}, "python"),
        ("138/85", "13885", "pressure", {}, "python"),
        ("1-8", "18", "score", {}, "python"),
        ("34.05, -118.24", "34.05, 118.24", "place", {}, "python"),
        ("12/3/2024", "1/23/2024", "date", {}, "python"),
        ("x**2", "x2", "f", FORMULA, "python"),
        ("x^2", "x*2", "f", FORMULA, "python"),
        ("exp(-x**2)", "exp(x**2)", "f", FORMULA, "python"),
        ("3x**2 + 2x - 1", "3x2 + 2x - 1", "f", FORMULA, "python"),
        ("https://api.example.com/v1", "https://apiexamplecom/v1", "url", {}, "python"),
        ("/home/ann/data.csv", "homeanndata.csv", "path", {}, "python"),
        ("report.pdf", "reportpdf", "file", {}, "python"),
        ("ann@example.com", "ann@examplecom", "to", {}, "python"),
        ("192.168.0.1", "1921.68.0.1", "host", {}, "python"),
        ("Secret-1", "secret1", "password", {}, "python"),
        ("air_clean", "airclean", "mode", ENUM, "python"),
        ("Pet Friendly", "PetFriendly", "mode", ENUM, "python"),
        ("SELECT a FROM b", "SELECTaFROMb", "query", {}, "python"),
        ("System.out", "Systemout", "out", {"type": "any"}, "java"),
        ("mapController", "mapcontroller", "controller", {"type": "any"}, "java"),
    ],
)
def test_a_lost_meaning_is_named(
    key: str, text: str, name: str, schema: Any, language: str
) -> None:
    assert difference(key, text, name, schema, language)


@pytest.mark.parametrize(
    ("key", "text", "name", "schema", "language"),
    [
        ("April 1, 2024", "April 1 2024", "date", {}, "python"),
        ("New York", "newyork", "city", {}, "python"),
        ("well-known", "wellknown", "kind", {}, "python"),
        ("don't", 'don"t', "text", {}, "python"),
        ("1,000", "1000", "amount", {}, "python"),
        ("1.5", "1,5", "dose", {}, "python"),
        ("5.5 km", "5,5 km", "distance", {}, "python"),
        ("5551234", "555-1234", "phone", {}, "python"),
        ("5551234", "555.1234", "phone", {}, "python"),
        ("10.30 AM", "1030 AM", "time", {}, "python"),
        ("10/24", "1024", "year", {}, "python"),
        ("2024-01-15", "20240115", "date", {}, "python"),
        ("1/11/2024", "11/1/2024", "date", {}, "python"),
        ("34.05, -118.24", "34.05 -118.24", "place", {}, "python"),
        ("x**2", "x^2", "f", FORMULA, "python"),
        ("x**2", "X**2", "f", FORMULA, "python"),
        ("2*x", "2x", "f", FORMULA, "python"),
        ("x*y", "xy", "f", FORMULA, "python"),
        ("F-150", "F150", "model", {}, "python"),
        ("air_clean", "AIR_CLEAN", "mode", ENUM, "python"),
        ("https://Example.com/", "https://example.com", "url", {}, "python"),
        ("ann.lee@gmail.com", "annlee@gmail.com", "to", {}, "python"),
        ("mapController", "mapcontroller", "title", {"type": "String"}, "java"),
        ("K", "\u212a", "unit", {}, "python"),
    ],
)
def test_what_may_mean_the_same_is_left_alone(
    key: str, text: str, name: str, schema: Any, language: str
) -> None:
    assert difference(key, text, name, schema, language) == ""


def test_a_text_means_the_same_as_itself() -> None:
    for key in ("x**2", "1.5", "https://a.b/c", "", "\u200b"):
        assert difference(key, key, "password", ENUM, "java") == ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", "y"),
        ("x**2", "not a formula at all"),
        ("1/0*x", "x"),
        ("(-1)**0.5*x", "x"),
        ("log2(x)**2", "log2(x)"),
        ("2024-10-15", "2024-15-10"),
    ],
)
def test_what_cannot_be_read_or_evaluated_stays_undecided(one: str, other: str) -> None:
    assert not differ(one, other)


def test_renaming_the_variable_makes_no_other_function() -> None:
    assert not differ("t**2 + 1", "x**2 + 1")
    assert differ("t**2 + 1", "x**3 + 1")


def test_a_formula_is_read_and_never_run() -> None:
    assert not differ("__import__('os').getpid() + x", "x")
    assert not differ("9**9**9**9 * x", "x")
