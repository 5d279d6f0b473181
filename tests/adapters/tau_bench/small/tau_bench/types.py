"""The values that cross the interface."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

RESPOND_ACTION_NAME = "respond"


class Action(BaseModel):
    name: str
    kwargs: dict[str, Any]


class Task(BaseModel):
    instruction: str
    actions: list[Action]
    outputs: list[str] = []


class DataPart(BaseModel):
    r_actions: float


class OutputPart(BaseModel):
    r_outputs: float


class Result(BaseModel):
    reward: float
    info: DataPart | OutputPart


class Info(BaseModel):
    reward_info: Result | None = None


class Response(BaseModel):
    observation: str
    reward: float = 0.0
    done: bool = False
    info: Info = Info()


class Solved(BaseModel):
    reward: float
