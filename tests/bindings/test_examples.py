# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""The Python example prints what stands beside it."""

import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def test_the_capacity_plan():
    ran = subprocess.run([sys.executable, EXAMPLES / "capacity_plan.py"], capture_output=True, text=True, check=True)
    assert ran.stdout == (EXAMPLES / "output" / "capacity_plan.txt").read_text()
