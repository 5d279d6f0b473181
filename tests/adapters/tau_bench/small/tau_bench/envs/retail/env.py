"""A shop with three customers."""

# mypy: disable-error-code="import-not-found,misc"
from __future__ import annotations

import json
from typing import Any

from tau_bench.envs.base import TRANSFER, Env
from tau_bench.types import Action, Task


def load_data() -> dict[str, Any]:
    address = {"address1": "1 First Street", "city": "Rome", "zip": "00100"}
    users = {
        name: {
            "email": f"{name}@example.com",
            "address": dict(address),
            "payment_methods": {f"card_{name}": {}, f"gift_{name}": {}},
            "orders": [f"#{name}1", f"#{name}2"],
        }
        for name in ("ann", "bob", "cid")
    }
    orders = {
        number: {
            "order_id": number,
            "user_id": name,
            "status": "pending",
            "items": [{"item_id": "1", "product_id": "p", "price": 4.5, "options": {}}],
            "payment_history": [],
        }
        for name, user in users.items()
        for number in user["orders"]
    }
    return {"users": users, "orders": orders, "products": {"p": {"variants": {}}}}


def find_user_id_by_email(data: Any, email: str) -> str:
    for number, user in data["users"].items():
        if user["email"] == email:
            return str(number)
    return "Error: user not found"


def get_order_details(data: Any, order_id: str) -> str:
    return json.dumps(data["orders"][order_id])


def get_user_details(data: Any, user_id: str) -> str:
    return json.dumps(data["users"][user_id])


def list_all_product_types(data: Any) -> str:
    return json.dumps(list(data["products"]))


def cancel_pending_order(data: Any, order_id: str, reason: str) -> str:
    order = data["orders"][order_id]
    if order["status"] != "pending" or reason not in ("no longer needed", "ordered by mistake"):
        return "Error: cannot be cancelled"
    order["status"] = f"cancelled: {reason}"
    return json.dumps(order)


def modify_user_address(data: Any, user_id: str, address1: str, city: str, zip: str) -> str:  # noqa: A002
    user = data["users"][user_id]
    user["address"] = {"address1": address1, "city": city, "zip": zip}
    return json.dumps(user)


def transfer_to_human_agents(data: Any, summary: str) -> str:
    del data
    return f"Transferred: {summary}"


TOOLS = {
    tool.__name__: tool
    for tool in (
        find_user_id_by_email,
        get_order_details,
        get_user_details,
        list_all_product_types,
        cancel_pending_order,
        modify_user_address,
        transfer_to_human_agents,
    )
}


def _action(name: str, **kwargs: Any) -> Action:
    return Action(name=name, kwargs=kwargs)


LOOK = _action("get_order_details", order_id="#ann1")
CANCEL = _action("cancel_pending_order", order_id="#ann1", reason="no longer needed")
MOVE = _action(
    "modify_user_address", user_id="ann", address1="2 Second Street", city="Rome", zip="00200"
)
TASKS = {
    "test": [
        Task(instruction="Cancel #ann1.", actions=[LOOK, CANCEL]),
        Task(instruction="Move, and the price?", actions=[MOVE, LOOK], outputs=["1234.50"]),
        Task(instruction="Nothing.", actions=[]),
        Task(
            instruction="Cancel what cannot be.",
            actions=[_action("cancel_pending_order", order_id="#ann1", reason="a whim")],
        ),
        Task(instruction="A person!", actions=[CANCEL, _action(TRANSFER, summary="asked")]),
    ],
    "dev": [Task(instruction="Move.", actions=[MOVE])],
}


class MockRetailDomainEnv(Env):
    def __init__(self, user_strategy: str, task_split: str = "test", task_index: int = 0) -> None:
        assert user_strategy == "human"
        super().__init__(load_data, TOOLS, TASKS[task_split], task_index)
