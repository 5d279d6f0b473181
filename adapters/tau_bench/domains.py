"""What is particular to each domain: which records a task is about, and what else could be said.

All of it is read from the benchmark's own database. Nothing here knows a score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchaudit.families.calls import Path, leaves
from benchaudit.families.trajectory import Step, Steps, call
from benchaudit.families.trajectory_state import Changes

from .shared import records

WRITING = ("book", "cancel", "exchange", "modify", "return", "send", "update")
"""First words of the tools that change records; upstream does not mark them."""

ELSEWHERE = "1 Elsewhere Road"


@dataclass(frozen=True)
class Domain:
    """The facts of a domain.

    Attributes:
        name: upstream's name.
        stranger: a write on records of somebody whom these calls do not name.
        undone: a write on these, and the one that puts them back.
        lookups: calls that read these records.
        others: other values that exist for an argument of a call, by its name.
        sequences: fields whose lists have an order that matters.
        derived: fields of records in lists that follow from the others.
    """

    name: str
    stranger: Callable[[Steps], Step]
    undone: Callable[[Steps], Steps]
    lookups: Callable[[Changes, Steps], Steps]
    others: Callable[[Step, str], Sequence[Any]]
    sequences: frozenset[str]
    derived: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def other_values(self, step: Step) -> dict[Path, list[Any]]:
        """For each argument of a call, by path, values that exist and are not the one given."""
        found = {}
        for path, value in leaves(step["arguments"]):
            name = next(str(part) for part in reversed(path) if isinstance(part, str))
            known = [v for v in self.others(step, name) if v != value]
            if known:
                found[path] = known
        return found


def is_writing(tool: str) -> bool:
    return tool.partition("_")[0] in WRITING


def _named(steps: Steps) -> set[Any]:
    """Every value that is an argument of some call."""
    return {v for s in steps if "call" in s for _, v in leaves(s["arguments"])}


def _strange(table: Mapping[str, Any], steps: Steps, open_: Callable[[Any], bool]) -> Any:
    """The first open record of a customer whom the calls do not concern."""
    named = _named(steps)
    concerned = {record["user_id"] for key, record in table.items() if key in named} | named
    return next(r for r in table.values() if open_(r) and r["user_id"] not in concerned)


# -- retail --------------------------------------------------------------------------------------


def _strange_order(steps: Steps) -> Any:
    return _strange(records("retail")["orders"], steps, lambda r: bool(r["status"] == "pending"))


def _retail_stranger(steps: Steps) -> Step:
    arguments = {"order_id": _strange_order(steps)["order_id"], "reason": "no longer needed"}
    return call("cancel_pending_order", arguments)


def _retail_undone(steps: Steps) -> Steps:
    number = _strange_order(steps)["user_id"]
    as_it_was = {"user_id": number, **records("retail")["users"][number]["address"]}
    elsewhere = {**as_it_was, "address1": ELSEWHERE}
    return [call("modify_user_address", a) for a in (elsewhere, as_it_was)]


def _retail_lookups(changed: Changes, steps: Steps) -> Steps:
    db = records("retail")
    keys = sorted({key for _, key in changed} | {v for v in _named(steps) if isinstance(v, str)})
    orders = [call("get_order_details", {"order_id": key}) for key in keys if key in db["orders"]]
    users = [call("get_user_details", {"user_id": key}) for key in keys if key in db["users"]]
    return [*users, *orders]


def _retail_others(step: Step, name: str) -> Sequence[Any]:
    db, arguments = records("retail"), step["arguments"]
    order = db["orders"].get(arguments.get("order_id"))
    user = db["users"].get(order["user_id"] if order else arguments.get("user_id"))
    if name == "payment_method_id" and user:
        return list(user["payment_methods"])
    if name == "order_id" and user:
        return list(user["orders"])
    if name == "item_ids" and order:
        items = [item["item_id"] for item in order["items"]]
        return [item for item in items if item not in arguments["item_ids"]]
    if name == "new_item_ids" and order:
        return _variants(order, arguments)
    return {"reason": ["no longer needed", "ordered by mistake"]}.get(name, [])


def _variants(order: Any, arguments: Mapping[str, Any]) -> list[str]:
    """What the items in a call could be exchanged for: of the same products, and in stock."""
    products = records("retail")["products"]
    items = [item for item in order["items"] if item["item_id"] in arguments["item_ids"]]
    taken = {*arguments["item_ids"], *arguments["new_item_ids"]}
    return [
        number
        for product in dict.fromkeys(item["product_id"] for item in items)
        for number, variant in products[product]["variants"].items()
        if variant["available"] and number not in taken
    ]


# -- airline -------------------------------------------------------------------------------------


def _strange_reservation(steps: Steps) -> Any:
    return _strange(records("airline")["reservations"], steps, lambda r: "status" not in r)


def _airline_stranger(steps: Steps) -> Step:
    number = _strange_reservation(steps)["reservation_id"]
    return call("cancel_reservation", {"reservation_id": number})


def _airline_undone(steps: Steps) -> Steps:
    reservation = _strange_reservation(steps)
    as_it_was = reservation["passengers"]
    renamed = [{**as_it_was[0], "first_name": "Elsewhere"}, *as_it_was[1:]]
    number = reservation["reservation_id"]
    return [
        call("update_reservation_passengers", {"reservation_id": number, "passengers": people})
        for people in (renamed, as_it_was)
    ]


def _airline_lookups(changed: Changes, steps: Steps) -> Steps:
    db = records("airline")
    keys = sorted({key for _, key in changed} | {v for v in _named(steps) if isinstance(v, str)})
    booked = [key for table, key in changed if table == "reservations"]
    bookings = [key for key in keys if key in db["reservations"] or key in booked]
    users = [call("get_user_details", {"user_id": key}) for key in keys if key in db["users"]]
    return [*users, *(call("get_reservation_details", {"reservation_id": k}) for k in bookings)]


def _airline_others(step: Step, name: str) -> Sequence[Any]:
    db, arguments = records("airline"), step["arguments"]
    reservation = db["reservations"].get(arguments.get("reservation_id"))
    user = db["users"].get(reservation["user_id"] if reservation else arguments.get("user_id"))
    if name == "payment_id" and user:
        return list(user["payment_methods"])
    if name == "reservation_id" and user:
        return list(user["reservations"])
    return {
        "cabin": ["basic_economy", "economy", "business"],
        "insurance": ["yes", "no"],
        "flight_type": ["one_way", "round_trip"],
        "user_id": list(db["users"])[:2],
    }.get(name, [])


DOMAINS = {
    domain.name: domain
    for domain in (
        Domain(
            "retail",
            _retail_stranger,
            _retail_undone,
            _retail_lookups,
            _retail_others,
            sequences=frozenset({"payment_history"}),
            # What an item costs and how it is equipped stands in the catalogue.
            derived={"items": ("price", "options")},
        ),
        Domain(
            "airline",
            _airline_stranger,
            _airline_undone,
            _airline_lookups,
            _airline_others,
            sequences=frozenset({"flights"}),
        ),
    )
}
