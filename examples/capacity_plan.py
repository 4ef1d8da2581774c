# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors

# %% [markdown]
# A capacity plan, cell by cell. A chat service on Llama-3.1-70B in FP8: 20 requests a second of 1500 tokens in and 300
# out. Nineteen users in twenty shall wait at most a second for the first token and 50 ms for each further one. Which
# device, how many, at what cost?

# %%
import flopledger

MODEL = "Llama-3.1-70B"
DEVICES = {"h100-sxm5-80gb": 2.50, "h200-sxm5-141gb": 3.20, "b200-sxm": 5.00}  # dollars an hour, ours to assume

# %% What fits at all, in which formats?
for device in DEVICES:
    answer = flopledger.ask({"command": "fit", "job": "serve", "model": MODEL, "device": device, "context": 1800})
    formats = ", ".join(f"{one['recipe']} on {one['fewest_devices']}" for one in answer["formats"] if one["fewest_devices"])
    print(f"{device:16} {formats}")

# %% The fewest devices within the limits, and what a million tokens cost.
print()
for device, dollars in DEVICES.items():
    answer = flopledger.ask({"command": "plan", "job": "serve", "model": MODEL, "device": device, "recipe": "w8a8-fp8",
                             "rate": "20/s", "prompt": 1500, "output": 300, "ttft": "1s", "tpot": "50ms", "percentile": 95,
                             "requests": 400, "price": dollars, "top": 1})
    best = answer["best"][0]
    print(f"{device:16} {best['devices']:3} devices, {best['usd_per_hour']:6.2f} dollars an hour, "
          f"{best['usd_per_million_output_tokens']:.2f} a million output tokens")
