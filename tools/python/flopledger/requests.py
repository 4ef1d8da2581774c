# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""Requests and answers."""

from __future__ import annotations

import atexit
import hashlib
import html
import json
import pathlib
import shutil
import tempfile
from typing import Any, Mapping

from . import _library


class RequestError(ValueError):
    """A request that cannot be asked so. `field` and `value` are what it is about, where it is about one."""

    def __init__(self, message: str, field: str | None = None, value: Any = None) -> None:
        super().__init__(message)
        self.field = field
        self.value = value


class Answer(dict):
    """An answer's keys as items and as attributes: `books["memory"]["total_bytes"]`, `books.memory.total_bytes`."""

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"no {key} in the answer; it has {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(key)}</th><td>{_cell(value)}</td></tr>" for key, value in self.items())
        return f"<table>{rows}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, Answer):
        return value._repr_html_()
    if isinstance(value, list):
        return f"{len(value)} items" if len(value) > 8 else html.escape(json.dumps(value))
    return html.escape(f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value))


class Model:
    """A model that is no file: a configuration as transformers holds it. It may stand wherever a model may."""

    _folder: str | None = None

    def __init__(self, config: Any) -> None:
        described = config.to_dict() if hasattr(config, "to_dict") else config
        if not isinstance(described, Mapping):
            raise TypeError(f"a configuration is a mapping or has to_dict(); {type(config).__name__} is neither")
        text = json.dumps(described, default=str, sort_keys=True)
        if Model._folder is None:
            Model._folder = tempfile.mkdtemp(prefix="flopledger-")
            atexit.register(shutil.rmtree, Model._folder, ignore_errors=True)
        folder = pathlib.Path(Model._folder) / hashlib.sha256(text.encode()).hexdigest()[:16]
        folder.mkdir(exist_ok=True)
        self.path = str(folder / "config.json")
        pathlib.Path(self.path).write_text(text)
        self.architectures = list(described.get("architectures") or [])

    def __repr__(self) -> str:
        return f"flopledger.Model({', '.join(self.architectures) or 'no architecture'})"


def model(config: Any) -> Model:
    """A model from a transformers configuration, or from the dictionary of a config.json."""
    return Model(config)


def _said(value: Any) -> Any:
    if isinstance(value, Model):
        return value.path
    if isinstance(value, pathlib.PurePath):
        return str(value)
    return value


def ask(request: Mapping[str, Any] | None = None, /, **keys: Any) -> Answer:
    """The answer to a request. Raises RequestError, which is a ValueError, with the one line of the command line."""
    said = {key: _said(value) for key, value in {**(request or {}), **keys}.items() if value is not None}
    try:
        text = json.dumps(said, allow_nan=False)
    except (TypeError, ValueError) as problem:
        raise RequestError(f"a request is JSON, and this is none: {problem}") from None
    answered, came = _library.ask(text.encode())
    result = json.loads(came, object_pairs_hook=Answer)
    if answered:
        return result
    problem = result["error"]
    raise RequestError(problem["message"], problem.get("field"), problem.get("value"))


def report(model: Any, device: str, job: str | None = None, **options: Any) -> Answer:
    """The books of a model on a device: a pass, or with job="train" or job="serve" memory and time of that."""
    return ask(command="report", model=model, device=device, job=job, **options)


def count(model: Any, **options: Any) -> Answer:
    """Parameters, multiply-adds and FLOPs of a pass, exactly: batch, sequence, context, attention, convention."""
    return ask(command="count", model=model, **options)


def mfu(model: Any, device: str, *, step_time: float, global_batch: int, sequence: int, **options: Any) -> Answer:
    """The share of the peak that a measured step reached; `step_time` in seconds."""
    return ask(command="mfu", model=model, device=device, step_time=step_time, global_batch=global_batch,
               sequence=sequence, **options)
