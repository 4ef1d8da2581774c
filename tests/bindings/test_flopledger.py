# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""What the wheel gives to a Python user. Numbers are published ones; the library's own tests hold the rest."""

import json
import math
import threading

import flopledger
import pytest

LLAMA = {  # meta-llama/Llama-3.1-8B, config.json
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
    "max_position_embeddings": 131072, "tie_word_embeddings": False, "torch_dtype": "bfloat16"}
PARAMETERS = 8_030_261_248


def test_a_count_by_name():
    assert flopledger.count("llama-3.1-8b").parameters == PARAMETERS


def test_a_model_as_transformers_holds_it():
    class LlamaConfig:
        def to_dict(self):
            return LLAMA

    for config in (LLAMA, LlamaConfig()):
        assert flopledger.count(flopledger.model(config))["parameters"] == PARAMETERS


def test_a_training_report_has_items_and_attributes():
    books = flopledger.report("llama-3.1-8b", "h100-sxm5-80gb", job="train", sequence=8192, data=8, zero=3)
    assert books.memory.total_bytes == books["memory"]["total_bytes"] > 0
    assert books.time.step_seconds > books.time.floor_seconds > 0
    assert "<table>" in books._repr_html_()
    with pytest.raises(AttributeError, match="no nothing in the answer"):
        books.nothing


def test_a_refused_request_is_a_value_error_of_one_line():
    with pytest.raises(ValueError) as caught:
        flopledger.count("llama-3.1-8b", sequence=-1)
    assert "--sequence" in str(caught.value) and "\n" not in str(caught.value)
    assert caught.value.field == "sequence"
    with pytest.raises(flopledger.RequestError, match="is JSON"):
        flopledger.count("llama-3.1-8b", sequence=math.nan)
    with pytest.raises(TypeError, match="neither"):
        flopledger.model(7)


def test_threads_ask_at_once():
    found = []
    threads = [threading.Thread(target=lambda: found.append(flopledger.count("llama-3.1-8b").parameters))
               for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [PARAMETERS] * 8


def test_a_meter_says_what_palm_published():
    """Chowdhery et al. 2022, table 3: 238.3K tokens a second on 6144 TPU v4 of 275 TFLOP/s are 46.2 % MFU."""
    tokens = 2048 * 2048
    a_token = 6 * 540.35e9 + 12 * 118 * 48 * 256 * 2048
    meter = flopledger.Meter(model_flops_per_step=a_token * tokens, tokens_per_step=tokens, devices=6144,
                             peak_flop_per_second=275e12, warm_up_steps=0)
    reading = meter.step(tokens / 238.3e3)
    assert reading.last.mfu == pytest.approx(0.462, abs=5e-4)
    assert meter.step(math.nan).flag == "no time"
    assert json.loads(meter.json())["flag"] == "no time"
    assert meter.openmetrics().endswith("# EOF\n")
    assert "no MFU" in flopledger.Meter(model_flops_per_step=1, tokens_per_step=1).line()
    with pytest.raises(ValueError, match="window of 1 to 256"):
        flopledger.Meter(model_flops_per_step=1, tokens_per_step=1, window_steps=1000)


def test_a_device_is_known_by_its_exact_name_alone():
    assert flopledger.peak_flop_per_second("NVIDIA H200") == 989.4e12
    assert flopledger.peak_flop_per_second("NVIDIA H200 NVL") is None


def test_a_callback_times_the_steps_of_a_trainer():
    lines = []
    meter = flopledger.Meter(model_flops_per_step=1, tokens_per_step=1, warm_up_steps=0)
    callback = flopledger.training_callback(meter, every=2, write=lines.append)
    for _ in range(4):  # in the order in which a Trainer calls
        callback.on_step_begin(None, None, None, model=None)
        callback.on_step_end(None, None, None, model=None)
    assert callback.reading.step == 4
    assert len(lines) == 2
