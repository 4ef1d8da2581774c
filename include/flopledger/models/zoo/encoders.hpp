// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 the flopledger authors
#pragma once

/// Encoders, encoder-decoders and towers: BERT and its kin, T5, BART, Whisper, ViT, CLIP.

#include <flopledger/models/zoo/zoo_model.hpp>

namespace flopledger::models {

namespace detail {
/// BERT (Devlin et al. 2018): norms after each sublayer, biases everywhere, a pooler on the first token.
template <class T = void>
constexpr transformer_config bert(std::string_view architecture, block_shape s, std::int64_t token_types = 2) {
  s = classic<T>(s);
  s.activation = activation_function::gelu;
  s.placement = norms::post;
  s.final_norm = s.causal = false;
  s.dropout = true;
  s.context = s.positions;
  transformer_config made{.architecture = architecture, .stack = make_stack(s), .context = s.context};
  made.embedding = {.vocabulary = s.vocabulary,
                    .width = s.hidden,
                    .positions = s.positions,
                    .token_types = token_types,
                    .norm = true};
  made.head = {.pooler = architecture == "BertModel"};
  if (architecture.ends_with("ForMaskedLM"))
    made.head = {.transform = true, .outputs = s.vocabulary, .tied = true, .bias = true};
  return made;
}

/// T5 (Raffel et al. 2020) and its successor 1.1: RMSNorm, no biases, one table of 32 relative positions a stack.
template <class T = void>
constexpr transformer_config t5(block_shape s, bool first_version) {
  s.vocabulary = 32128;
  s.tied = first_version;
  s.gated = !first_version;
  s.activation = first_version ? activation_function::relu : activation_function::gelu_tanh;
  s.rotary_fraction = 0;
  s.dropout = true;
  s.context = 512;
  s.causal = false;
  transformer_config made = make_decoder<T>("T5ForConditionalGeneration", s);
  made.encoder = made.stack;
  s.causal = true;
  made.stack = make_stack(s);
  made.stack.relative_positions = made.encoder.relative_positions = 32;
  made.stack.cross_attention = true;
  made.stack.cross = made.stack.attention;
  made.stack.cross.source_hidden = s.hidden;
  return made;
}

/// What BART and Whisper share: a decoder of the encoder's very blocks that attends to it.
template <class T = void>
constexpr transformer_config encoder_decoder(std::string_view architecture, block_shape s) {
  s.causal = false;
  transformer_config made = make_decoder<T>(architecture, s);
  made.encoder = made.stack;
  s.causal = true;
  made.stack = make_stack(s);
  made.stack.cross_attention = true;
  made.stack.cross = made.stack.attention;
  made.stack.cross.source_hidden = s.hidden;
  return made;
}

/// BART (Lewis et al. 2020): norms after each sublayer and above the embeddings; positions begin two rows late.
template <class T = void>
constexpr transformer_config bart(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  block_shape s = classic<T>({.layers = layers, .hidden = hidden, .heads = heads, .vocabulary = 50265, .tied = true});
  s.activation = activation_function::gelu;
  s.placement = norms::post;
  s.final_norm = false;
  s.dropout = true;
  s.positions = 1026;
  s.context = 1024;
  transformer_config made = encoder_decoder("BartForConditionalGeneration", s);
  made.embedding.norm = true;
  made.encoder_embedding = {.width = hidden, .positions = 1026, .norm = true};
  return made;
}

/// Whisper (Radford et al. 2022): two convolutions halve 3000 frames to 1500 tokens; no bias on the keys.
template <class T = void>
constexpr transformer_config whisper(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                                     std::int64_t vocabulary = 51865, std::int64_t bands = 80) {
  block_shape s =
      classic<T>({.layers = layers, .hidden = hidden, .heads = heads, .vocabulary = vocabulary, .tied = true});
  s.activation = activation_function::gelu;
  s.key_bias = false;
  s.positions = s.context = 448;
  transformer_config made = encoder_decoder("WhisperForConditionalGeneration", s);
  made.encoder_positions = 1500;
  made.encoder_embedding = {.width = hidden, .positions = 1500, .learned_positions = false};
  made.audio_in = {.in = bands, .out = hidden, .input_grad = false};
  made.audio_down = {.in = hidden, .out = hidden};
  return made;
}

/// ViT (Dosovitskiy et al. 2021) with the pooler of its pre-training.
template <class T = void>
constexpr transformer_config vit(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t patch) {
  transformer_config made{.architecture = "ViTModel"};
  made.vision =
      vision_tower{.patches = {.image_size = 224, .patch_size = patch, .hidden = hidden},
                   .class_token = true,
                   .stack = make_stack(vision_blocks<T>(layers, hidden, heads, 4 * hidden, activation_function::gelu))};
  made.vision_only = true;
  made.head = {.pooler = true};
  return made;
}

/// CLIP (Radford et al. 2021): a causal text tower and a vision tower, each projected to the width they meet in.
template <class T = void>
constexpr transformer_config clip(block_shape text, block_shape seen, std::int64_t patch, std::int64_t meeting) {
  text = classic<T>(text);
  text.activation = activation_function::quick_gelu;
  text.causal = false;
  text.vocabulary = 49408;
  text.positions = text.context = 77;
  transformer_config made = make_decoder<T>("CLIPModel", text);
  made.stack.attention.bidirectional = false;
  made.head = {.projected = meeting};
  made.logit_scale = true;
  made.vision = vision_tower{.patches = {.image_size = 224, .patch_size = patch, .hidden = seen.hidden, .bias = false},
                             .class_token = true,
                             .pre_norm = true,
                             .stack = make_stack(vision_blocks<T>(seen.layers, seen.hidden, seen.heads, 4 * seen.hidden,
                                                                  activation_function::quick_gelu)),
                             .tokens_per_image = 1,
                             .projector = meeting};
  return made;
}
}  // namespace detail

struct bert_base_uncased : zoo_model<bert_base_uncased, family::bert> {
  static constexpr const char* title = "BERT-base-uncased";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bert("BertModel", {.layers = 12, .hidden = 768, .heads = 12, .vocabulary = 30522, .positions = 512});
  }
};

struct bert_large_uncased : zoo_model<bert_large_uncased, family::bert> {
  static constexpr const char* title = "BERT-large-uncased";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bert("BertModel",
                        {.layers = 24, .hidden = 1024, .heads = 16, .vocabulary = 30522, .positions = 512});
  }
};

struct roberta_base : zoo_model<roberta_base, family::bert> {
  static constexpr const char* title = "RoBERTa-base";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bert("RobertaForMaskedLM",
                        {.layers = 12, .hidden = 768, .heads = 12, .vocabulary = 50265, .positions = 514}, 1);
  }
};

struct xlm_roberta_base : zoo_model<xlm_roberta_base, family::bert> {
  static constexpr const char* title = "XLM-RoBERTa-base";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bert("XLMRobertaForMaskedLM",
                        {.layers = 12, .hidden = 768, .heads = 12, .vocabulary = 250002, .positions = 514}, 1);
  }
};

struct t5_base : zoo_model<t5_base, family::t5> {
  static constexpr const char* title = "T5-base";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::t5<T>({.layers = 12, .hidden = 768, .heads = 12, .head_dim = 64, .intermediate = 3072}, true);
  }
};

struct t5_3b : zoo_model<t5_3b, family::t5> {
  static constexpr const char* title = "T5-3B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::t5<T>({.layers = 24, .hidden = 1024, .heads = 32, .head_dim = 128, .intermediate = 16384}, true);
  }
};

struct t5_11b : zoo_model<t5_11b, family::t5> {
  static constexpr const char* title = "T5-11B";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::t5<T>({.layers = 24, .hidden = 1024, .heads = 128, .head_dim = 128, .intermediate = 65536}, true);
  }
};

struct flan_t5_base : zoo_model<flan_t5_base, family::t5> {
  static constexpr const char* title = "Flan-T5-base";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::t5<T>({.layers = 12, .hidden = 768, .heads = 12, .head_dim = 64, .intermediate = 2048}, false);
  }
};

struct flan_t5_xl : zoo_model<flan_t5_xl, family::t5> {
  static constexpr const char* title = "Flan-T5-XL";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::t5<T>({.layers = 24, .hidden = 2048, .heads = 32, .head_dim = 64, .intermediate = 5120}, false);
  }
};

struct flan_t5_xxl : zoo_model<flan_t5_xxl, family::t5> {
  static constexpr const char* title = "Flan-T5-XXL";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::t5<T>({.layers = 24, .hidden = 4096, .heads = 64, .head_dim = 64, .intermediate = 10240}, false);
  }
};

struct bart_large : zoo_model<bart_large, family::bart> {
  static constexpr const char* title = "BART-large";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::bart<T>(12, 1024, 16);
  }
};

struct whisper_tiny : zoo_model<whisper_tiny, family::whisper> {
  static constexpr const char* title = "Whisper-tiny";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::whisper<T>(4, 384, 6);
  }
};

struct whisper_small : zoo_model<whisper_small, family::whisper> {
  static constexpr const char* title = "Whisper-small";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::whisper<T>(12, 768, 12);
  }
};

struct whisper_medium : zoo_model<whisper_medium, family::whisper> {
  static constexpr const char* title = "Whisper-medium";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::whisper<T>(24, 1024, 16);
  }
};

struct whisper_large_v3 : zoo_model<whisper_large_v3, family::whisper> {
  static constexpr const char* title = "Whisper-large-v3";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::whisper<T>(32, 1280, 20, 51866, 128);
  }
};

struct vit_b_16 : zoo_model<vit_b_16, family::vit> {
  static constexpr const char* title = "ViT-B/16";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::vit<T>(12, 768, 12, 16);
  }
};

struct vit_h_14 : zoo_model<vit_h_14, family::vit> {
  static constexpr const char* title = "ViT-H/14";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::vit<T>(32, 1280, 16, 14);
  }
};

struct clip_vit_b_32 : zoo_model<clip_vit_b_32, family::clip> {
  static constexpr const char* title = "CLIP ViT-B/32";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::clip<T>({.layers = 12, .hidden = 512, .heads = 8}, {.layers = 12, .hidden = 768, .heads = 12}, 32,
                           512);
  }
};

struct clip_vit_l_14 : zoo_model<clip_vit_l_14, family::clip> {
  static constexpr const char* title = "CLIP ViT-L/14";
  template <class T = void>
  static constexpr transformer_config describe() {
    return detail::clip<T>({.layers = 12, .hidden = 768, .heads = 12}, {.layers = 24, .hidden = 1024, .heads = 16}, 14,
                           768);
  }
};

}  // namespace flopledger::models
