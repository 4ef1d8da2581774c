# SPDX-License-Identifier: BSL-1.0
# Copyright (c) 2026 the flopledger authors
"""What PyTorch says of a small GPT and a small Llama, and what the package says of the same configurations."""

import flopledger
import pytest

torch = pytest.importorskip("torch")

BATCH, SEQUENCE, LAYERS, HIDDEN, HEADS, VOCABULARY = 2, 16, 2, 32, 4, 128
KV_HEADS, INTERMEDIATE = 2, 88
GPT = {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "n_embd": HIDDEN, "n_layer": LAYERS, "n_head": HEADS,
       "n_positions": 64, "vocab_size": VOCABULARY, "activation_function": "gelu_new", "attn_pdrop": 0.0,
       "embd_pdrop": 0.0, "resid_pdrop": 0.0, "torch_dtype": "float32"}
LLAMA = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": HIDDEN,
         "intermediate_size": INTERMEDIATE, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
         "num_key_value_heads": KV_HEADS, "vocab_size": VOCABULARY, "max_position_embeddings": 64,
         "tie_word_embeddings": False, "torch_dtype": "float32"}


def heads_apart(x, heads):
    return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def attend(query, key, value, masked):
    scores = torch.matmul(query, key.transpose(2, 3)).masked_fill(masked, -1e9)
    context = torch.matmul(torch.softmax(scores, -1), value)
    return context.transpose(1, 2).reshape(query.shape[0], query.shape[2], -1)


class GPTBlock(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first_norm, self.second_norm = torch.nn.LayerNorm(HIDDEN), torch.nn.LayerNorm(HIDDEN)
        self.joined, self.output = torch.nn.Linear(HIDDEN, 3 * HIDDEN), torch.nn.Linear(HIDDEN, HIDDEN)
        self.up, self.down = torch.nn.Linear(HIDDEN, 4 * HIDDEN), torch.nn.Linear(4 * HIDDEN, HIDDEN)

    def forward(self, x, masked):
        parts = [heads_apart(part, HEADS) for part in self.joined(self.first_norm(x)).chunk(3, -1)]
        x = x + self.output(attend(*parts, masked))
        return x + self.down(torch.nn.functional.gelu(self.up(self.second_norm(x)), approximate="tanh"))


class SmallGPT(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = torch.nn.Embedding(VOCABULARY, HIDDEN), torch.nn.Embedding(64, HIDDEN)
        self.blocks = torch.nn.ModuleList(GPTBlock() for _ in range(LAYERS))
        self.norm = torch.nn.LayerNorm(HIDDEN)

    def forward(self, ids, masked):
        x = self.tokens(ids) + self.positions(torch.arange(SEQUENCE).repeat(BATCH, 1))
        for block in self.blocks:
            x = block(x, masked)
        return torch.nn.functional.linear(self.norm(x), self.tokens.weight)


class RMSNorm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(HIDDEN))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5))


def turned(x, cosine, sine):
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat((-second, first), -1) * sine


class LlamaBlock(torch.nn.Module):
    def __init__(self):
        super().__init__()
        narrow = KV_HEADS * HIDDEN // HEADS
        self.first_norm, self.second_norm = RMSNorm(), RMSNorm()
        for name, wide in (("query", HIDDEN), ("key", narrow), ("value", narrow), ("output", HIDDEN),
                           ("gate", INTERMEDIATE), ("up", INTERMEDIATE)):
            setattr(self, name, torch.nn.Linear(HIDDEN, wide, bias=False))
        self.down = torch.nn.Linear(INTERMEDIATE, HIDDEN, bias=False)

    def forward(self, x, masked, cosine, sine):
        def every_head(of):
            return of.unsqueeze(2).expand(-1, -1, HEADS // KV_HEADS, -1, -1).flatten(1, 2)

        read = self.first_norm(x)
        query = turned(heads_apart(self.query(read), HEADS), cosine, sine)
        key = every_head(turned(heads_apart(self.key(read), KV_HEADS), cosine, sine))
        value = every_head(heads_apart(self.value(read), KV_HEADS))
        x = x + self.output(attend(query, key, value, masked))
        fed = self.second_norm(x)
        return x + self.down(torch.nn.functional.silu(self.gate(fed)) * self.up(fed))


class SmallLlama(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = torch.nn.Embedding(VOCABULARY, HIDDEN)
        self.blocks = torch.nn.ModuleList(LlamaBlock() for _ in range(LAYERS))
        self.norm, self.head = RMSNorm(), torch.nn.Linear(HIDDEN, VOCABULARY, bias=False)
        width = HIDDEN // HEADS
        half = torch.outer(torch.arange(SEQUENCE).float(), 10000.0 ** (-torch.arange(0, width, 2).float() / width))
        angles = torch.cat((half, half), -1)
        self.cosine, self.sine = angles.cos(), angles.sin()

    def forward(self, ids, masked):
        x = self.tokens(ids)
        for block in self.blocks:
            x = block(x, masked, self.cosine, self.sine)
        return self.head(self.norm(x))


def a_batch():
    ids, wanted = (torch.randint(VOCABULARY, (BATCH, SEQUENCE)) for _ in range(2))
    return ids, wanted, torch.ones(SEQUENCE, SEQUENCE, dtype=torch.bool).triu(1)


def loss_of(net, ids, wanted, masked):
    return torch.nn.functional.cross_entropy(net(ids, masked).flatten(0, 1), wanted.flatten())


ROWS = BATCH * SEQUENCE
MASK = SEQUENCE * SEQUENCE  # what lies ahead, a byte a pair
# What eager PyTorch saves beside what the account models, which is fused norms, rotations and gates.
LLAMA_BESIDE = (MASK
                + 4 * 2 * SEQUENCE * HIDDEN // HEADS  # cosines and sines
                + 2 * 4 * ROWS * HIDDEN * (2 * LAYERS + 1)  # norms' squares, and their outputs before the weight
                + 4 * ROWS * INTERMEDIATE * LAYERS  # SiLU of the gates
                + 4 * ROWS * 2 * (HEADS - KV_HEADS) * HIDDEN // HEADS * LAYERS)  # keys and values for every head


@pytest.mark.parametrize("module, config, beside", [(SmallGPT, GPT, MASK), (SmallLlama, LLAMA, LLAMA_BESIDE)])
def test_torch_counts_what_the_books_hold(module, config, beside):
    net = module()
    ids, wanted, masked = a_batch()
    described = flopledger.model(config)
    books = flopledger.report(described, "h100-sxm5-80gb", job="train", sequence=SEQUENCE, micro_batch=BATCH,
                              attention="explicit", recipe="fp32")

    assert sum(one.numel() for one in net.parameters()) == flopledger.count(described).parameters

    held = {one.storage().data_ptr() for one in net.parameters()}
    saved = {}

    def keep(tensor):
        saved[tensor.storage().data_ptr()] = tensor.storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        logits = net(ids, masked)
    kept = sum(size for storage, size in saved.items() if storage not in held)
    assert kept - beside == books.memory.activations_bytes

    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], with_flops=True) as profiled:
        loss_of(net, ids, wanted, masked).backward()
    products = sum(event.flops for event in profiled.key_averages()
                   if event.key in ("aten::mm", "aten::addmm", "aten::bmm"))
    counted = flopledger.count(described, batch=BATCH, sequence=SEQUENCE, convention="model-flops")
    assert products == counted.convention.flops


def test_a_meter_stands_in_a_loop_of_torch():
    net, (ids, wanted, masked) = SmallGPT(), a_batch()
    counted = flopledger.count(flopledger.model(GPT), batch=BATCH, sequence=SEQUENCE, convention="model-flops")
    meter = flopledger.Meter(model_flops_per_step=counted.convention.flops, tokens_per_step=ROWS, warm_up_steps=2)
    callback = flopledger.training_callback(meter, every=0)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
    losses = []
    for _ in range(8):
        callback.step_begins()
        optimizer.zero_grad()
        loss = loss_of(net, ids, wanted, masked)
        loss.backward()
        optimizer.step()
        callback.step_ends()
        losses.append(float(loss))
    assert losses[-1] < losses[0]
    assert callback.reading.step == 8 and callback.reading.flag == "none"
    assert callback.reading.run.tokens_per_second > 0
    assert callback.reading.run.mfu is None  # no device was named, and none is guessed
