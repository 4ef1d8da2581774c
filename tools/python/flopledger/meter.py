# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""The MFU of a running training, step by step."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable

from . import _library
from ._library import library, taken

_flags = ("none", "no time", "above the peak")


@dataclass(frozen=True)
class Rates:
    """Means over some steps. `mfu` and `hfu` are None where no peak is known."""

    step_seconds: float
    tokens_per_second: float
    mfu: float | None
    hfu: float | None


@dataclass(frozen=True)
class Reading:
    """What a step says. `flag` is "none", "no time" or "above the peak"; an odd step never raises."""

    step: int
    warm_up: bool
    flag: str
    last: Rates
    window: Rates
    run: Rates


def peak_flop_per_second(runtime_name: str, precision: str = "bf16", multiprocessors: int = 0) -> float | None:
    """The dense peak of a device by exactly the name that torch.cuda.get_device_name() gives; None where it is unknown."""
    return library.flopledger_peak(runtime_name.encode(), multiprocessors, precision.encode()) or None


class Meter:
    """Made once from a run's FLOPs and tokens a step on all devices, it takes each step's seconds.

    It synchronises nothing: a time that is taken before the device has finished is the time of a launch.
    """

    def __init__(self, *, model_flops_per_step: float, tokens_per_step: float, devices: int = 1,
                 peak_flop_per_second: float | None = None, recomputed_flops_per_step: float = 0.0,
                 warm_up_steps: int = 10, window_steps: int = 50) -> None:
        self._meter = None
        run = _library.Run(model_flops_per_step, recomputed_flops_per_step, tokens_per_step, devices,
                           peak_flop_per_second or 0.0, warm_up_steps, window_steps)
        self._meter = library.flopledger_meter_create(run)
        if not self._meter:
            raise ValueError("a meter needs FLOPs and tokens a step, a device, and a window of 1 to 256 steps")

    def __del__(self) -> None:
        if self._meter:
            library.flopledger_meter_destroy(self._meter)

    def step(self, seconds: float, *, model_flops: float | None = None, tokens: float | None = None,
             recomputed_flops: float = 0.0) -> Reading:
        """One step. One of other work than the run's (packed sequences, a short last batch) says what it did."""
        if (model_flops is None) != (tokens is None):
            raise ValueError("a step of other work says both its model_flops and its tokens")
        now = (library.flopledger_meter_step(self._meter, seconds) if model_flops is None else
               library.flopledger_meter_step_of(self._meter, seconds, model_flops, recomputed_flops, tokens))

        def rates(of: _library.Rates) -> Rates:
            return Rates(of.step_seconds, of.tokens_per_second, of.mfu if now.has_peak else None,
                         of.hfu if now.has_peak else None)

        return Reading(now.step, bool(now.warm_up), _flags[now.flag], rates(now.last), rates(now.window), rates(now.run))

    def memory(self, in_use_bytes: float) -> None:
        """Memory in use after a step, so that what grows is seen."""
        library.flopledger_meter_memory(self._meter, in_use_bytes)

    def line(self) -> str:
        """One line for people, with the peak beside the MFU and what gives cause to look."""
        return taken(library.flopledger_meter_text(self._meter, 0))

    def json(self) -> str:
        """One JSON object in one line."""
        return taken(library.flopledger_meter_text(self._meter, 1))

    def openmetrics(self) -> str:
        """OpenMetrics text, whole with its end."""
        return taken(library.flopledger_meter_text(self._meter, 2))

    def __repr__(self) -> str:
        return f"<flopledger.Meter {self.line()}>"


def training_callback(meter: Meter, *, base: type = object, every: int = 10,
                      write: Callable[[str], Any] = print, synchronize: Callable[[], Any] | None = None) -> Any:
    """A callback that times each step: of a Hugging Face Trainer with base=transformers.TrainerCallback, of Lightning
    with base=lightning.Callback, and for a loop of one's own as it is (`step_begins()`, `step_ends()`).

    `synchronize`, such as torch.cuda.synchronize, runs before each clock is read; without it an asynchronous device is
    timed at its launches.
    """

    class Timed(base):  # type: ignore[misc]
        begun: float | None = None
        reading: Reading | None = None

        def step_begins(self) -> None:
            if synchronize is not None:
                synchronize()
            self.begun = time.perf_counter()

        def step_ends(self) -> None:
            if self.begun is None:
                return
            if synchronize is not None:
                synchronize()
            self.reading = meter.step(time.perf_counter() - self.begun)
            self.begun = None
            if every > 0 and self.reading.step % every == 0:
                write(meter.line())

        def on_step_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self.step_begins()

        def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
            self.step_ends()

        def on_train_batch_start(self, *args: Any, **kwargs: Any) -> None:
            self.step_begins()

        def on_train_batch_end(self, *args: Any, **kwargs: Any) -> None:
            self.step_ends()

    return Timed()
