# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""The books of a Transformer: parameters, FLOPs, bytes, memory and time of a model on a device.

Requests and answers are those of docs/requests.md, with the same keys: units stand in the names. Nothing is computed
here; every number is the C++ library's, which runs without the interpreter's lock.
"""

from __future__ import annotations

from ._library import version as _version
from .meter import Meter, Rates, Reading, peak_flop_per_second, training_callback
from .requests import Answer, Model, RequestError, ask, count, mfu, model, report

__version__ = _version()
__all__ = [
    "Answer",
    "Meter",
    "Model",
    "Rates",
    "Reading",
    "RequestError",
    "ask",
    "count",
    "mfu",
    "model",
    "peak_flop_per_second",
    "report",
    "training_callback",
]
