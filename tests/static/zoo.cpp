// Models as types, and what constant expressions ask of them.
#include <flopledger/models/zoo.hpp>

using namespace flopledger;

static_assert(model<models::llama3_8b>);
static_assert(!model<int>);
static_assert(models::llama3_1_8b::name == "Llama-3.1-8B");
static_assert(models::llama3_1_8b::family == "llama");
static_assert(models::llama3_1_8b::config.context == 131072);
static_assert(models::mistral_7b_v0_1::config.stack.window == 4096);
static_assert(models::mistral_7b_v0_3::config.stack.windowed.empty());

static_assert(parameter_count<models::llama3_8b> == 8'030'261'248. * unit::parameter);
static_assert(parameter_count<models::llama2_70b> == 68'976'648'192. * unit::parameter);
static_assert(parameter_count<models::mixtral_8x7b> == 46'702'792'704. * unit::parameter);
static_assert(active_parameter_count<models::mixtral_8x7b> == 12'879'925'248. * unit::parameter);
static_assert(parameter_count<models::deepseek_v3> == 671'026'419'200. * unit::parameter);
static_assert(active_parameter_count<models::deepseek_v3> == 37'552'297'472. * unit::parameter);
static_assert(parameter_count<models::gpt_oss_120b> == 116'829'156'672. * unit::parameter);
static_assert(parameter_count<models::gpt2_small> == 124'439'808. * unit::parameter);
static_assert(parameter_count<models::bert_base_uncased> == 109'482'240. * unit::parameter);

// LLaMA-3-8B over 8192 tokens: every matrix once a token, two products of 8192² by 128 for each of 32 heads and layers.
static_assert(forward_macs<models::llama3_8b, 1, 8192> ==
              (8192. * (8'030'261'248. - 128256. * 4096 - 65. * 4096) + 2. * 8192 * 8192 * 128 * 32 * 32) * unit::mac);
static_assert(forward_matmul_flops<models::llama3_8b, 1, 8192> ==
              2. * unit::flop / unit::mac * forward_macs<models::llama3_8b, 1, 8192>);
static_assert(training_step_matmul_flops<models::llama3_8b, 1, 8192> ==
              3. * forward_matmul_flops<models::llama3_8b, 1, 8192>);
static_assert(forward_macs<models::llama3_8b, 1, 8192, attention_counting::causal> <
              forward_macs<models::llama3_8b, 1, 8192>);
static_assert(forward_macs<models::llama3_8b, 4, 8192> == 4. * forward_macs<models::llama3_8b, 1, 8192>);

namespace {
// A model of one's own needs nothing but a config.
struct half_a_llama {
  static constexpr transformer_config config = [] {
    transformer_config half = models::llama3_8b::config;
    half.stack.layers = 16;
    return half;
  }();
};
static_assert(model<half_a_llama>);
static_assert(parameter_count<half_a_llama> == (8'030'261'248. - 16 * 218'112'000.) * unit::parameter);
}  // namespace
