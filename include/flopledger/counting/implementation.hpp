// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// How a model is written in PyTorch: which calls each row of the ledger becomes.
///
/// Counters do not see operations, they see calls: a hook on a class of module, a replaced function of a namespace, a
/// dispatched kernel. The same product is seen by one tool as `torch.matmul` and missed by the same tool as `@`. So a
/// tool's rule says what it charges for a call, and an `implementation` says which calls a row is made of.

#include <flopledger/counting/convention.hpp>
#include <flopledger/text/lookup.hpp>

namespace flopledger::counting {

/// The ways in which a piece of work can reach PyTorch, as far as any counter tells them apart.
enum class call : std::uint8_t {
  unseen,                   ///< what no counter has a rule for: in-place sums, division, masks, a library's own kernels
  linear_module,            ///< nn.Linear
  linear_function,          ///< F.linear with parameters that are held elsewhere
  strided_linear_function,  ///< the same on a tensor that is not contiguous: dispatched without its bias
  addmm,                    ///< torch.addmm in a module of one's own (Hugging Face Conv1D)
  matmul_function,          ///< torch.matmul
  at_operator,              ///< a @ b
  bmm,                      ///< torch.bmm, torch.mm
  einsum,
  sdpa,            ///< F.scaled_dot_product_attention, both products in one call
  native_product,  ///< inside a fused native layer: only the dispatcher's own log shows it
  convolution_module,
  layer_norm_module,    ///< nn.LayerNorm
  layer_norm_function,  ///< F.layer_norm in a module of one's own
  softmax_module,       ///< nn.Softmax
  softmax_function,     ///< F.softmax
  softmax_method,       ///< torch.softmax, Tensor.softmax
  activation_module,    ///< nn.GELU, nn.ReLU, ...
  activation_function,  ///< F.gelu, F.silu, ... called by that name
  operators,            ///< written out in + and *, which `implementation` counts apart
  add_operator,
  multiply_operator,
  add_function,  ///< torch.add, Tensor.add
  multiply_function
};

/// One call, with what a rule may need of it.
struct piece {
  double multiplied = 0;  ///< multiply-adds of its product
  double elements = 0;    ///< of its result; of a sum's or a multiplication's first operand
  double width = 0;       ///< last dimension of the result
  double bias = 0;        ///< length of its bias vector
  double biased = 0;      ///< elements that the bias is added to
  bool affine = true;     ///< a norm with weights
};

/// How often `+` or `*` stands in something written out, by the size of its first operand.
struct operator_use {
  double elements = 0;  ///< once an element
  double vectors = 0;   ///< once a vector (means, deviations)
  double width = 0;     ///< once a weight vector
  double calls = 0;     ///< once, on a scalar
  constexpr double of(double element_count, double vector_count, double vector_width) const {
    return elements * element_count + vectors * vector_count + width * vector_width + calls;
  }
};

/// What a model computes on its masks before the first block.
enum class mask_making : std::uint8_t {
  none,             ///< a buffer, or inside the attention kernel
  inverted,         ///< (1 − mask) · −max: a multiplication over batch·tokens (Hugging Face BERT)
  causal_each_pass  ///< a triangle and a padding mask, made and summed each pass (Hugging Face Llama 4.33)
};

/// How a model is written. Every member has the value of plain modules and functions; name what differs.
struct implementation {
  std::string_view name = "plain modules";
  call projection = call::linear_module;  ///< queries, keys, values, and what makes them
  call output = call::linear_module;      ///< of attention
  call feed_in = call::linear_module, feed_out = call::linear_module;
  call experts = call::linear_module, router = call::linear_module;
  call head = call::linear_module;
  call other_products = call::linear_module;  ///< poolers, transforms, projections outside the blocks
  call convolution = call::convolution_module;
  call scores = call::matmul_function, context = call::matmul_function;
  call softmax = call::softmax_function, router_softmax = call::softmax_function;
  call activation = call::activation_function;
  call pooler_activation = call::unseen;  ///< nn.Tanh and torch.tanh: no counter has a rule
  call norm = call::layer_norm_module;
  call residual = call::add_operator;
  call position_sum = call::add_operator, token_type_sum = call::add_operator;
  call custom = call::unseen;  ///< a user's own operation: say which call it is, or no tool sees it

  operator_use norm_adds{}, norm_multiplies{};  ///< where `norm` is `operators`
  operator_use activation_adds{}, activation_multiplies{};
  bool multiplies_scores = false;  ///< by 1/√d with *; a division is seen by no counter
  bool adds_mask = false;          ///< to the scores, with +
  mask_making mask = mask_making::none;

  bool runs_all_experts = false;  ///< every expert on every token, then a weighted sum
  head_positions head_on = head_positions::every_token;
  bool multihead_module = false;   ///< nn.MultiheadAttention, which ptflops counts as a module of its own
  bool inputs_by_keyword = false;  ///< no positional input whose length ptflops could divide by

  /// Calls `visit(call, piece)` for each call that the row is made of.
  constexpr void for_each_call(const row& r, const work& asked, const model_facts& facts, auto&& visit) const {
    const double dense = runs_all_experts ? facts.all_over_chosen() : 1.0;
    const double elements = written_elements(r);
    switch (r.kind) {
      case operation::gather:
        visit_mask_making(r, asked, visit);
        return;
      case operation::projection:
        visit(projection_call(r.where), product_of(r, 1.0));
        return;
      case operation::expert_projection:
        visit(experts, product_of(r, dense));
        return;
      case operation::router:
        visit(router, product_of(r, 1.0));
        visit(router_softmax, {.elements = r.shape.m * r.shape.n, .width = r.shape.n});
        return;
      case operation::head:
        visit(head, product_of(r, 1.0));
        return;
      case operation::convolution:
        visit(convolution, product_of(r, 1.0));
        return;
      case operation::attention_scores:
        visit(scores, product_of(r, 1.0));
        if (multiplies_scores) visit(call::multiply_operator, {.elements = r.shape.batch * r.shape.m * r.shape.n});
        if (adds_mask) visit(call::add_operator, {.elements = r.shape.batch * r.shape.m * r.shape.n});
        return;
      case operation::softmax:
        visit(softmax, {.elements = elements, .width = elements / r.operands.third.elements});
        return;
      case operation::attention_context:
        visit(context, product_of(r, 1.0));
        return;
      case operation::rotary:  // x·cos + rotated(x)·sin
        visit(call::multiply_operator, {.elements = 2 * turned_elements(r)});
        visit(call::add_operator, {.elements = turned_elements(r)});
        return;
      case operation::activation:
        visit_activation(r, (r.where.in == sublayer::experts ? dense : 1.0) * elements, visit);
        return;
      case operation::normalization:
        visit_norm(r, elements, visit);
        return;
      case operation::addition:
        visit_addition(r, elements, dense, visit);
        return;
      case operation::custom:
        visit(custom, product_of(r, 1.0));
        return;
      case operation::dropout:     // evaluated, not trained: the identity
      case operation::recurrence:  // a library's own kernel
      case operation::dispatch:    // copies
      case operation::loss:
        return;
    }
  }

  /// The work as this model does it: attention over the whole square, the head where the model has it.
  constexpr work asks(work asked) const {
    asked.attention = attention_counting::full;
    if (head_on == head_positions::last_token) asked.head = head_positions::last_token;
    return asked;
  }
 private:
  static constexpr piece product_of(const row& r, double scale) {
    const double length = bias_length(r);
    const double bias = r.kind == operation::router && length > r.shape.n ? r.shape.n : length;
    const double outputs = r.shape.batch * r.shape.m * r.shape.n;
    return {.multiplied = scale * unmasked_macs(r),
            .elements = scale * outputs,
            .width = r.shape.n,
            .bias = bias,
            .biased = bias > 0 ? scale * outputs : 0.0};
  }
  constexpr call projection_call(const place& where) const {
    switch (where.in) {
      case sublayer::attention:
      case sublayer::cross_attention:
      case sublayer::recurrence:
        return where.at == position::output ? output : projection;
      case sublayer::feed_forward:
      case sublayer::shared_expert:
        return where.at == position::down ? feed_out : feed_in;
      case sublayer::outside:
      case sublayer::experts:
      case sublayer::custom:
        return other_products;
    }
    return other_products;
  }
  constexpr void visit_mask_making(const row& r, const work& asked, auto& visit) const {
    if (mask == mask_making::none || r.where.at != position::table || r.part != model_part::main) return;
    if (mask == mask_making::inverted) visit(call::multiply_operator, {.elements = asked.token_count()});
    if (mask == mask_making::causal_each_pass)
      asked.for_each_run([&](const sequences& run) {
        if (run.length > 1)
          visit(call::add_operator, {.elements = run.length + run.count * run.length * run.total_length()});
      });
  }
  constexpr void visit_activation(const row& r, double elements, auto& visit) const {
    const bool gated = read_elements(r) > written_elements(r) * 1.5;
    const call how = r.where.at == position::pooler ? pooler_activation : activation;
    if (how == call::operators) {
      visit(call::add_operator, {.elements = activation_adds.of(elements, 0, 0)});
      visit(call::multiply_operator, {.elements = activation_multiplies.of(elements, 0, 0)});
    } else {
      visit(how, {.elements = elements});
    }
    if (gated) visit(call::multiply_operator, {.elements = elements});
  }
  constexpr void visit_norm(const row& r, double elements, auto& visit) const {
    if (norm != call::operators) {
      visit(norm, {.elements = elements, .affine = r.held.value() > 0});
      return;
    }
    const double vectors = normalised_vectors(r), width = vectors > 0 ? elements / vectors : 0.0;
    visit(call::add_operator, {.elements = norm_adds.of(elements, vectors, width)});
    visit(call::multiply_operator, {.elements = norm_multiplies.of(elements, vectors, width)});
  }
  constexpr void visit_addition(const row& r, double elements, double dense, auto& visit) const {
    if (r.where.at == position::combine) {
      // Each chosen expert's output times its weight. Written back in place, or summed where every expert runs.
      const double routed = dense * read_elements(r);
      visit(call::multiply_operator, {.elements = routed});
      if (runs_all_experts) visit(call::add_operator, {.elements = routed});
      return;
    }
    const call how = r.where.at == position::position_sum     ? position_sum
                     : r.where.at == position::token_type_sum ? token_type_sum
                                                              : residual;
    visit(how, {.elements = elements});
  }
};

}  // namespace flopledger::counting

/// Implementations that the tools' counts were taken of. Copy one and change a member for one's own.
namespace flopledger::written_in {

using counting::call;
using counting::implementation;

/// rasbt/LLMs-from-scratch, chapter 4: norm and GELU written out, `@`, torch.softmax.
inline constexpr implementation rasbt_gpt{.name = "rasbt GPTModel",
                                          .scores = call::at_operator,
                                          .context = call::at_operator,
                                          .softmax = call::softmax_method,
                                          .activation = call::operators,
                                          .norm = call::operators,
                                          .norm_adds = {.elements = 1, .vectors = 1},
                                          .norm_multiplies = {.width = 1},
                                          .activation_adds = {.elements = 2},
                                          .activation_multiplies = {.elements = 3, .calls = 1}};

/// karpathy/nanoGPT with targets, attention written out: F.layer_norm, nn.GELU, F.softmax, `@`.
inline constexpr implementation nano_gpt_with_targets{.name = "nanoGPT with targets",
                                                      .scores = call::at_operator,
                                                      .context = call::at_operator,
                                                      .activation = call::activation_module,
                                                      .norm = call::layer_norm_function,
                                                      .multiplies_scores = true};

namespace detail {
constexpr implementation on_last_token(implementation written, std::string_view name) {
  written.name = name;
  written.head_on = head_positions::last_token;
  return written;
}
constexpr implementation with_fused_attention(implementation written, std::string_view name) {
  written.name = name;
  written.scores = written.context = call::sdpa;
  written.softmax = call::unseen;
  written.multiplies_scores = written.adds_mask = false;
  return written;
}
}  // namespace detail

/// Without targets its head runs on the last token of each sequence alone.
inline constexpr implementation nano_gpt = detail::on_last_token(nano_gpt_with_targets, "nanoGPT");
/// On torch 2 it calls F.scaled_dot_product_attention.
inline constexpr implementation nano_gpt_flash = detail::with_fused_attention(nano_gpt, "nanoGPT, fused attention");
inline constexpr implementation nano_gpt_flash_with_targets =
    detail::with_fused_attention(nano_gpt_with_targets, "nanoGPT with targets, fused attention");

/// transformers 4.33 GPT-2: Conv1D (torch.addmm), torch.matmul, GELU written out, F.softmax.
inline constexpr implementation hugging_face_gpt2{.name = "Hugging Face GPT-2",
                                                  .projection = call::addmm,
                                                  .output = call::addmm,
                                                  .feed_in = call::addmm,
                                                  .feed_out = call::addmm,
                                                  .activation = call::operators,
                                                  .activation_adds = {.elements = 2},
                                                  .activation_multiplies = {.elements = 4}};

/// transformers 4.33 Llama: RMSNorm written out, torch.matmul, F.softmax, F.silu, masks made each pass. Mixtral and the
/// like route tokens to experts the same way as `routed_experts`.
inline constexpr implementation hugging_face_llama{.name = "Hugging Face Llama",
                                                   .norm = call::operators,
                                                   .norm_adds = {.vectors = 1},
                                                   .norm_multiplies = {.elements = 1, .width = 1},
                                                   .adds_mask = true,
                                                   .mask = counting::mask_making::causal_each_pass};
/// Later versions call F.scaled_dot_product_attention (what torch.profiler says of their elementwise part was not run).
inline constexpr implementation hugging_face_llama_sdpa =
    detail::with_fused_attention(hugging_face_llama, "Hugging Face Llama, fused attention");

/// transformers 4.33 BERT: nn.LayerNorm, torch.matmul, F.softmax; F.gelu is kept in an attribute from the start, where
/// no replaced function reaches it.
inline constexpr implementation hugging_face_bert{.name = "Hugging Face BERT",
                                                  .activation = call::unseen,
                                                  .position_sum = call::unseen,
                                                  .adds_mask = true,
                                                  .mask = counting::mask_making::inverted};

/// A block of one's own: repeated keys and values, `@` or torch.matmul, F.softmax.
inline constexpr implementation own_block_with_operator{
    .name = "own block, @", .scores = call::at_operator, .context = call::at_operator};
inline constexpr implementation own_block_with_matmul{.name = "own block, torch.matmul"};

/// A mixture whose tokens are sent to the chosen experts, and one that runs all experts on all tokens.
inline constexpr implementation routed_experts{.name = "own mixture, routed"};
inline constexpr implementation all_experts{.name = "own mixture, all experts", .runs_all_experts = true};

/// nn.MultiheadAttention (torch 1.13) outside its fast path: F.linear, torch.bmm, F.softmax.
inline constexpr implementation torch_multihead_attention{.name = "nn.MultiheadAttention",
                                                          .projection = call::strided_linear_function,
                                                          .output = call::linear_function,
                                                          .scores = call::bmm,
                                                          .context = call::bmm,
                                                          .multihead_module = true};
/// Its fast path (eval, no gradients): one native operator.
inline constexpr implementation torch_multihead_attention_fast{.name = "nn.MultiheadAttention, fast path",
                                                               .projection = call::native_product,
                                                               .output = call::native_product,
                                                               .scores = call::native_product,
                                                               .context = call::native_product,
                                                               .softmax = call::unseen,
                                                               .multihead_module = true};
/// nn.TransformerEncoderLayer (torch 1.13) outside its fast path; the activation is kept in an attribute.
inline constexpr implementation torch_encoder_layer{.name = "nn.TransformerEncoderLayer",
                                                    .projection = call::strided_linear_function,
                                                    .output = call::linear_function,
                                                    .scores = call::bmm,
                                                    .context = call::bmm,
                                                    .activation = call::unseen,
                                                    .multihead_module = true};
/// Its fast path: the attention module is never called, and the first product of the feed-forward is fused away.
inline constexpr implementation torch_encoder_layer_fast{.name = "nn.TransformerEncoderLayer, fast path",
                                                         .projection = call::native_product,
                                                         .output = call::native_product,
                                                         .feed_in = call::unseen,
                                                         .feed_out = call::native_product,
                                                         .scores = call::native_product,
                                                         .context = call::native_product,
                                                         .softmax = call::unseen,
                                                         .activation = call::unseen,
                                                         .norm = call::unseen,
                                                         .residual = call::unseen};

inline constexpr const implementation* all[] = {&rasbt_gpt,
                                                &nano_gpt,
                                                &nano_gpt_with_targets,
                                                &nano_gpt_flash,
                                                &nano_gpt_flash_with_targets,
                                                &hugging_face_gpt2,
                                                &hugging_face_llama,
                                                &hugging_face_llama_sdpa,
                                                &hugging_face_bert,
                                                &own_block_with_operator,
                                                &own_block_with_matmul,
                                                &routed_experts,
                                                &all_experts,
                                                &torch_multihead_attention,
                                                &torch_multihead_attention_fast,
                                                &torch_encoder_layer,
                                                &torch_encoder_layer_fast};

/// The implementation of that name, or null.
constexpr const implementation* find(std::string_view name) { return text::find_named(all, name); }

/// How Hugging Face writes a model of that architecture, for tools run on it without saying more.
constexpr const implementation& reference(std::string_view architecture) {
  if (architecture.starts_with("GPT2") || architecture.starts_with("OpenAIGPT")) return hugging_face_gpt2;
  if (architecture.starts_with("Bert") || architecture.starts_with("Roberta")) return hugging_face_bert;
  return hugging_face_llama;
}

}  // namespace flopledger::written_in
