#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the small files of tests/data/weights: write_files.py FOLDER.

It shares nothing with the readers that it tests: Python's struct and json, by the formats' own documents
(https://github.com/huggingface/safetensors#format, https://github.com/ggml-org/ggml/blob/master/docs/gguf.md). Weights
are zeros. The GGUF files were read back once by npm's @huggingface/gguf 0.4.6, which found the same versions, keys,
names, shapes, types and offsets.
"""
import json
import os
import struct
import sys

# A model of the size of a test: LlamaForCausalLM.
VOCABULARY, HIDDEN, INNER, LAYERS, HEADS, KV_HEADS = 64, 32, 64, 2, 4, 2
HEAD_DIM = HIDDEN // HEADS

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": HIDDEN,
    "intermediate_size": INNER,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV_HEADS,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 128,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}


def llama_tensors():
    """Names and shapes, as transformers' LlamaForCausalLM has them."""
    tensors = {"model.embed_tokens.weight": [VOCABULARY, HIDDEN]}
    for layer in range(LAYERS):
        block = f"model.layers.{layer}."
        tensors.update({
            block + "input_layernorm.weight": [HIDDEN],
            block + "mlp.down_proj.weight": [HIDDEN, INNER],
            block + "mlp.gate_proj.weight": [INNER, HIDDEN],
            block + "mlp.up_proj.weight": [INNER, HIDDEN],
            block + "post_attention_layernorm.weight": [HIDDEN],
            block + "self_attn.k_proj.weight": [KV_HEADS * HEAD_DIM, HIDDEN],
            block + "self_attn.o_proj.weight": [HIDDEN, HIDDEN],
            block + "self_attn.q_proj.weight": [HIDDEN, HIDDEN],
            block + "self_attn.v_proj.weight": [KV_HEADS * HEAD_DIM, HIDDEN],
        })
    tensors.update({"model.norm.weight": [HIDDEN], "lm_head.weight": [VOCABULARY, HIDDEN]})
    return tensors


def elements(shape):
    count = 1
    for side in shape:
        count *= side
    return count


def write_safetensors(path, tensors, metadata=None):
    """`tensors`: name -> (dtype, bits of an element, shape). Returns the bytes of their data."""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, (dtype, bits, shape) in tensors.items():
        size = elements(shape) * bits // 8
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + bytes(at))
    return at


def write_checkpoint(folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(CONFIG, file, indent=2)
        file.write("\n")
    names = list(llama_tensors().items())
    half = len(names) // 2
    total, weight_map = 0, {}
    for number, part in enumerate([names[:half], names[half:]], 1):
        shard = f"model-{number:05d}-of-00002.safetensors"
        total += write_safetensors(os.path.join(folder, shard), {n: ("BF16", 16, s) for n, s in part}, {"format": "pt"})
        weight_map.update({n: shard for n, _ in part})
    with open(os.path.join(folder, "model.safetensors.index.json"), "w") as file:
        json.dump({"metadata": {"total_size": total}, "weight_map": weight_map}, file, indent=2, sort_keys=True)
        file.write("\n")


# GGUF -----------------------------------------------------------------------------------------------------------------
TYPES = {  # number, elements of a block, bytes of a block: ggml/include/ggml.h, ggml/src/ggml-common.h
    "F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q4_1": (3, 32, 20), "Q5_0": (6, 32, 22),
    "Q5_1": (7, 32, 24), "Q8_0": (8, 32, 34), "Q8_1": (9, 32, 36), "Q2_K": (10, 256, 84), "Q3_K": (11, 256, 110),
    "Q4_K": (12, 256, 144), "Q5_K": (13, 256, 176), "Q6_K": (14, 256, 210), "Q8_K": (15, 256, 292),
    "IQ2_XXS": (16, 256, 66), "IQ2_XS": (17, 256, 74), "IQ3_XXS": (18, 256, 98), "IQ1_S": (19, 256, 50),
    "IQ4_NL": (20, 32, 18), "IQ3_S": (21, 256, 110), "IQ2_S": (22, 256, 82), "IQ4_XS": (23, 256, 136),
    "I8": (24, 1, 1), "I16": (25, 1, 2), "I32": (26, 1, 4), "I64": (27, 1, 8), "F64": (28, 1, 8),
    "IQ1_M": (29, 256, 56), "BF16": (30, 1, 2), "TQ1_0": (34, 256, 54), "TQ2_0": (35, 256, 66), "MXFP4": (39, 32, 17),
}


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


VALUES = {
    "u8": (0, "<B"), "i8": (1, "<b"), "u16": (2, "<H"), "i16": (3, "<h"), "u32": (4, "<I"), "i32": (5, "<i"),
    "f32": (6, "<f"), "bool": (7, "<?"), "u64": (10, "<Q"), "i64": (11, "<q"), "f64": (12, "<d"),
}


def value(kind, what):
    if kind == "text":
        return struct.pack("<I", 8) + text(what)
    if kind.startswith("list "):
        of = kind[5:]
        number = 8 if of == "text" else VALUES[of][0]
        entries = b"".join(text(one) if of == "text" else struct.pack(VALUES[of][1], one) for one in what)
        return struct.pack("<IIQ", 9, number, len(what)) + entries
    return struct.pack("<I", VALUES[kind][0]) + struct.pack(VALUES[kind][1], what)


def write_gguf(path, version, metadata, tensors, alignment=32):
    """`tensors`: name -> (type, shape with the outermost dimension first)."""
    infos, data = b"", b""
    for name, (kind, shape) in tensors.items():
        number, block, size = TYPES[kind]
        infos += text(name) + struct.pack("<I", len(shape))
        infos += b"".join(struct.pack("<Q", side) for side in reversed(shape))
        infos += struct.pack("<IQ", number, len(data))
        data += bytes(elements(shape) // block * size)
        data += bytes(-len(data) % alignment)
    keys = b"".join(text(key) + value(kind, what) for key, (kind, what) in metadata.items())
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata)) + keys + infos
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % alignment) + data)


def llama_metadata():
    return {
        "general.architecture": ("text", "llama"),
        "general.name": ("text", "Tiny"),
        "general.file_type": ("u32", 7),
        "general.quantization_version": ("u32", 2),
        "llama.block_count": ("u32", LAYERS),
        "llama.context_length": ("u32", 128),
        "llama.embedding_length": ("u32", HIDDEN),
        "llama.feed_forward_length": ("u32", INNER),
        "llama.attention.head_count": ("u32", HEADS),
        "llama.attention.head_count_kv": ("u32", KV_HEADS),
        "llama.attention.layer_norm_rms_epsilon": ("f32", 1e-5),
        "llama.rope.freq_base": ("f32", 500000.0),
        "llama.rope.dimension_count": ("u32", HEAD_DIM),
        "llama.vocab_size": ("u32", VOCABULARY),
        "tokenizer.ggml.model": ("text", "gpt2"),
        "tokenizer.ggml.tokens": ("list text", [f"token {i}" for i in range(VOCABULARY)]),
        "tokenizer.ggml.scores": ("list f32", [0.0] * VOCABULARY),
        "tokenizer.ggml.token_type": ("list i32", [1] * VOCABULARY),
        "tokenizer.ggml.add_bos_token": ("bool", True),
    }


def llama_gguf_tensors(matrix="Q8_0"):
    tensors = {"token_embd.weight": (matrix, [VOCABULARY, HIDDEN])}
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        tensors.update({
            block + "attn_norm.weight": ("F32", [HIDDEN]),
            block + "attn_q.weight": (matrix, [HIDDEN, HIDDEN]),
            block + "attn_k.weight": (matrix, [KV_HEADS * HEAD_DIM, HIDDEN]),
            block + "attn_v.weight": ("Q5_0" if layer == 0 else matrix, [KV_HEADS * HEAD_DIM, HIDDEN]),
            block + "attn_output.weight": (matrix, [HIDDEN, HIDDEN]),
            block + "ffn_norm.weight": ("F32", [HIDDEN]),
            block + "ffn_gate.weight": (matrix, [INNER, HIDDEN]),
            block + "ffn_up.weight": (matrix, [INNER, HIDDEN]),
            block + "ffn_down.weight": (matrix, [HIDDEN, INNER]),
        })
    tensors.update({"output_norm.weight": ("F32", [HIDDEN]), "output.weight": ("F16", [VOCABULARY, HIDDEN])})
    return tensors


def write_all(folder):
    write_checkpoint(os.path.join(folder, "llama"))
    write_safetensors(os.path.join(folder, "dtypes.safetensors"), {
        name.lower(): (name, bits, [2, 4]) for name, bits in {
            "BOOL": 8, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "U8": 8, "I8": 8, "F8_E5M2": 8, "F8_E4M3": 8, "F8_E8M0": 8,
            "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32, "C64": 64, "F64": 64,
            "I64": 64, "U64": 64}.items()
    } | {"scalar": ("F32", 32, []), "empty": ("F32", 32, [0, 7])})
    write_gguf(os.path.join(folder, "llama.gguf"), 3, llama_metadata(), llama_gguf_tensors())
    write_gguf(os.path.join(folder, "types.gguf"), 2, {
        "general.architecture": ("text", "none"), "general.alignment": ("u32", 64),
        "of.u8": ("u8", 200), "of.i8": ("i8", -7), "of.u16": ("u16", 60000), "of.i16": ("i16", -30000),
        "of.u32": ("u32", 4000000000), "of.i32": ("i32", -5), "of.u64": ("u64", 1 << 40), "of.i64": ("i64", -1 << 40),
        "of.f32": ("f32", 0.5), "of.f64": ("f64", 0.1), "of.bool": ("bool", True), "of.text": ("text", "Grüße"),
        "of.list": ("list i16", [3, -1, 4]), "of.bools": ("list bool", [True, False]), "of.empty": ("list u8", []),
    }, {name.lower(): (name, [2, 256]) for name in TYPES if name != "Q8_1"}, alignment=64)


if __name__ == "__main__":
    write_all(sys.argv[1])
