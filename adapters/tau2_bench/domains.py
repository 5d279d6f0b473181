"""What is particular to each domain: which records a task is about, and what else could be said.

All of it is read from the benchmark's own database and tools. Nothing here knows a score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benchaudit.families.calls import Path, leaves
from benchaudit.families.trajectory import Step, Steps, call
from benchaudit.families.trajectory_state import Changes

from . import package, shared

Others = Callable[[Step, str], Sequence[Any]]


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
    others: Others
    sequences: frozenset[str] = frozenset()
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


def _named(steps: Steps) -> set[Any]:
    """Every value that is an argument of some call."""
    return {v for s in steps if "call" in s for _, v in leaves(s["arguments"])}


# -- retail --------------------------------------------------------------------------------------


def _strange_order(steps: Steps) -> Any:
    """The first pending order of a customer who is not concerned."""
    db, named = shared.records("retail"), _named(steps)
    concerned = {o.user_id for o in db.orders.values() if o.order_id in named} | named
    return next(
        order
        for order in db.orders.values()
        if order.status == "pending" and order.user_id not in concerned
    )


def _retail_stranger(steps: Steps) -> Step:
    order = _strange_order(steps)
    arguments = {"order_id": order.order_id, "reason": "no longer needed"}
    return call("cancel_pending_order", arguments)


def _retail_undone(steps: Steps) -> Steps:
    user = shared.records("retail").users[_strange_order(steps).user_id]
    as_it_was = {"user_id": user.user_id, **user.address.model_dump()}
    elsewhere = {**as_it_was, "address1": "1 Elsewhere Road"}
    return [call("modify_user_address", a) for a in (elsewhere, as_it_was)]


def _retail_lookups(changed: Changes, steps: Steps) -> Steps:
    db = shared.records("retail")
    keys = sorted({key for _, key in changed} | {v for v in _named(steps) if isinstance(v, str)})
    orders = [call("get_order_details", {"order_id": key}) for key in keys if key in db.orders]
    users = [call("get_user_details", {"user_id": key}) for key in keys if key in db.users]
    return [*users, *orders]


def _retail_others(step: Step, name: str) -> Sequence[Any]:
    db, arguments = shared.records("retail"), step["arguments"]
    order = db.orders.get(arguments.get("order_id"))
    user = db.users.get(order.user_id if order else arguments.get("user_id"))
    if name == "payment_method_id" and user:
        return list(user.payment_methods)
    if name == "order_id" and user:
        return list(user.orders)
    if name == "item_ids" and order:
        return [item.item_id for item in order.items if item.item_id not in arguments["item_ids"]]
    if name == "new_item_ids" and order:
        return _variants(order, arguments)
    return {"reason": ["no longer needed", "ordered by mistake"]}.get(name, [])


def _variants(order: Any, arguments: Mapping[str, Any]) -> list[str]:
    """What the items in a call could be exchanged for: of the same products, and in stock."""
    products = shared.records("retail").products
    mine = [item.product_id for item in order.items if item.item_id in arguments["item_ids"]]
    taken = {*arguments["item_ids"], *arguments["new_item_ids"]}
    return [
        variant.item_id
        for product in dict.fromkeys(mine)
        for variant in products[product].variants.values()
        if variant.available and variant.item_id not in taken
    ]


# -- airline -------------------------------------------------------------------------------------


def _strange_reservation(steps: Steps) -> Any:
    db, named = shared.records("airline"), _named(steps)
    concerned = {r.user_id for r in db.reservations.values() if r.reservation_id in named} | named
    return next(
        reservation
        for reservation in db.reservations.values()
        if reservation.status is None and reservation.user_id not in concerned
    )


def _airline_stranger(steps: Steps) -> Step:
    return call(
        "cancel_reservation", {"reservation_id": _strange_reservation(steps).reservation_id}
    )


def _airline_undone(steps: Steps) -> Steps:
    reservation = _strange_reservation(steps)
    as_it_was = [passenger.model_dump() for passenger in reservation.passengers]
    renamed = [{**as_it_was[0], "first_name": "Elsewhere"}, *as_it_was[1:]]
    number = reservation.reservation_id
    return [
        call("update_reservation_passengers", {"reservation_id": number, "passengers": people})
        for people in (renamed, as_it_was)
    ]


def _airline_lookups(changed: Changes, steps: Steps) -> Steps:
    db = shared.records("airline")
    keys = sorted({key for _, key in changed} | {v for v in _named(steps) if isinstance(v, str)})
    booked = [key for table, key in changed if table == "reservations"]
    bookings = [key for key in keys if key in db.reservations or key in booked]
    users = [call("get_user_details", {"user_id": key}) for key in keys if key in db.users]
    return [*users, *(call("get_reservation_details", {"reservation_id": k}) for k in bookings)]


def _airline_others(step: Step, name: str) -> Sequence[Any]:
    db, arguments = shared.records("airline"), step["arguments"]
    reservation = db.reservations.get(arguments.get("reservation_id"))
    user = db.users.get(reservation.user_id if reservation else arguments.get("user_id"))
    if name == "payment_id" and user:
        return list(user.payment_methods)
    if name == "reservation_id" and user:
        return list(user.reservations)
    return {
        "cabin": ["basic_economy", "economy", "business"],
        "insurance": ["yes", "no"],
        "flight_type": ["one_way", "round_trip"],
        "user_id": ["aarav_ahmed_6699", "mia_li_3668"],
    }.get(name, [])


# -- telecom -------------------------------------------------------------------------------------

_MODES = ["2g_only", "3g_only", "4g_only", "4g_5g_preferred"]
_PERMISSIONS = ["network", "phone", "sms", "storage"]


@cache
def _telecom() -> Any:
    return package.registry.get_env_constructor("telecom")().tools.db


def _strange_line(steps: Steps) -> tuple[str, Any]:
    """A customer who is not concerned, and an active line of theirs."""
    db, named = _telecom(), _named(steps)
    lines = {line.line_id: line for line in db.lines}
    concerned = {"C1001", *named}
    return next(
        (customer.customer_id, lines[number])
        for customer in db.customers
        if customer.customer_id not in concerned
        for number in customer.line_ids
        if lines[number].status == "Active"
    )


def _telecom_stranger(steps: Steps) -> Step:
    customer, line = _strange_line(steps)
    arguments = {"customer_id": customer, "line_id": line.line_id, "reason": "asked for"}
    return call("suspend_line", arguments)


def _telecom_undone(steps: Steps) -> Steps:
    customer, line = _strange_line(steps)
    names = ["enable_roaming", "disable_roaming"]
    arguments = {"customer_id": customer, "line_id": line.line_id}
    return [call(name, arguments) for name in (names[::-1] if line.roaming_enabled else names)]


def _telecom_lookups(_changed: Changes, _steps: Steps) -> Steps:
    return [
        call("get_customer_by_id", {"customer_id": "C1001"}),
        call("get_bills_for_customer", {"customer_id": "C1001"}),
    ]


def _telecom_others(step: Step, name: str) -> Sequence[Any]:
    db, arguments = _telecom(), step["arguments"]
    mine = [c for c in db.customers if c.customer_id == arguments.get("customer_id")]
    return {
        "customer_id": [customer.customer_id for customer in db.customers],
        "line_id": [number for customer in mine for number in customer.line_ids],
        "bill_id": [number for customer in mine for number in customer.bill_ids],
        "mode": _MODES,
        "permission": _PERMISSIONS,
        "app_name": ["browser", "messaging"],
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
        Domain("telecom", _telecom_stranger, _telecom_undone, _telecom_lookups, _telecom_others),
    )
}


def tools_that_write(domain: str) -> Iterator[str]:
    """Names of the tools that upstream marks as writing, of the agent and of the user."""
    environment = package.registry.get_env_constructor(domain)()
    for kit in (environment.tools, environment.user_tools):
        if kit is not None:
            yield from (name for name in kit.tools if kit.tool_type(name).value == "write")
