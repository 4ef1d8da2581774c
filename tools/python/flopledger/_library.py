# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""The shared library, as flopledger.h declares it. ctypes lets go of the interpreter's lock during each call."""

from __future__ import annotations

import ctypes
import os
import pathlib


class Run(ctypes.Structure):
    _fields_ = [
        ("model_flops_per_step", ctypes.c_double),
        ("recomputed_flops_per_step", ctypes.c_double),
        ("tokens_per_step", ctypes.c_double),
        ("devices", ctypes.c_double),
        ("peak_flop_per_second", ctypes.c_double),
        ("warm_up_steps", ctypes.c_int64),
        ("window_steps", ctypes.c_int64),
    ]


class Rates(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("step_seconds", "tokens_per_second", "mfu", "hfu")]


class StepReading(ctypes.Structure):
    _fields_ = [
        ("step", ctypes.c_int64),
        ("warm_up", ctypes.c_int),
        ("flag", ctypes.c_int),
        ("has_peak", ctypes.c_int),
        ("last", Rates),
        ("window", Rates),
        ("run", Rates),
    ]


def _load() -> ctypes.CDLL:
    beside = pathlib.Path(__file__).with_name("libflopledger.so")
    library = ctypes.CDLL(os.environ.get("FLOPLEDGER_LIBRARY") or str(beside))
    meter, text = ctypes.c_void_p, ctypes.c_void_p
    for name, result, arguments in (
        ("version", ctypes.c_char_p, []),
        ("ask", ctypes.c_int, [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(text)]),
        ("release", None, [text]),
        ("peak", ctypes.c_double, [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p]),
        ("meter_create", meter, [ctypes.POINTER(Run)]),
        ("meter_destroy", None, [meter]),
        ("meter_step", StepReading, [meter, ctypes.c_double]),
        ("meter_step_of", StepReading, [meter] + 4 * [ctypes.c_double]),
        ("meter_memory", None, [meter, ctypes.c_double]),
        ("meter_text", text, [meter, ctypes.c_int]),
    ):
        function = getattr(library, "flopledger_" + name)
        function.restype, function.argtypes = result, arguments
    return library


library = _load()


def version() -> str:
    return library.flopledger_version().decode()


def taken(text: int | None) -> str:
    """A text that the library allocated, released once it is copied."""
    if not text:
        raise MemoryError
    try:
        return ctypes.string_at(text).decode()
    finally:
        library.flopledger_release(text)


def ask(request: bytes) -> tuple[bool, str]:
    """Whether a request was answered, and what came of it."""
    answer = ctypes.c_void_p()
    status = library.flopledger_ask(request, len(request), ctypes.byref(answer))
    return status == 0, taken(answer.value)
