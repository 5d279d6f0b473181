"""An airline with three customers."""

# mypy: disable-error-code="import-not-found,misc"
from __future__ import annotations

import json
from typing import Any

from tau_bench.envs.base import Env
from tau_bench.types import Action, Task


def load_data() -> dict[str, Any]:
    names = ("ann", "bob", "cid")
    users = {n: {"payment_methods": {f"card_{n}": {}}, "reservations": [n.upper()]} for n in names}
    reservations = {
        name.upper(): {
            "reservation_id": name.upper(),
            "user_id": name,
            "passengers": [{"first_name": name}, {"first_name": "Max"}],
            "total_baggages": 1,
        }
        for name in names
    }
    return {"users": users, "reservations": reservations, "flights": {}}


def get_user_details(data: Any, user_id: str) -> str:
    return json.dumps(data["users"][user_id])


def get_reservation_details(data: Any, reservation_id: str) -> str:
    return json.dumps(data["reservations"][reservation_id])


def cancel_reservation(data: Any, reservation_id: str) -> str:
    data["reservations"][reservation_id]["status"] = "cancelled"
    return "cancelled"


def update_reservation_baggages(data: Any, reservation_id: str, total_baggages: int) -> str:
    data["reservations"][reservation_id]["total_baggages"] = total_baggages
    return "changed"


def update_reservation_passengers(data: Any, reservation_id: str, passengers: Any) -> str:
    data["reservations"][reservation_id]["passengers"] = passengers
    return "changed"


def transfer_to_human_agents(data: Any, summary: str) -> str:
    del data
    return f"Transferred: {summary}"


TOOLS = {
    tool.__name__: tool
    for tool in (
        get_user_details,
        get_reservation_details,
        cancel_reservation,
        update_reservation_baggages,
        update_reservation_passengers,
        transfer_to_human_agents,
    )
}
TASKS = [
    Task(
        instruction="Two bags.",
        actions=[
            Action(
                name="update_reservation_baggages",
                kwargs={"reservation_id": "ANN", "total_baggages": 2},
            )
        ],
    ),
    Task(
        instruction="Other passengers.",
        actions=[
            Action(
                name="update_reservation_passengers",
                kwargs={
                    "reservation_id": "BOB",
                    "passengers": [{"first_name": "Ada"}, {"first_name": "Eve"}],
                },
            )
        ],
    ),
]


class MockAirlineDomainEnv(Env):
    def __init__(self, user_strategy: str, task_split: str = "test", task_index: int = 0) -> None:
        assert user_strategy == "human"
        if task_split != "test":
            raise ValueError(f"no split {task_split}")
        super().__init__(load_data, TOOLS, TASKS, task_index)
