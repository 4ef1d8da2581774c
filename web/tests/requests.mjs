// A sample of requests: every command that the page asks, models of every kind, and requests that are refused.

const models = ['Llama-3.1-8B', 'Mixtral-8x7B', 'DeepSeek-V3', 'Qwen2.5-72B', 'gpt-oss-120b', 'GPT-2'];
const devices = ['h100-sxm5-80gb', 'a100-sxm4-80gb', 'mi300x', 'rtx-4090', 'b200'];

export const requests = [
  ...models.flatMap((model) => devices.flatMap((device) => [
    { command: 'report', model, device },
    { command: 'report', job: 'train', model, device, data: 8, tensor: 8, zero: 1, recompute: 'selective' },
    { command: 'report', job: 'serve', model, device, concurrency: 16, tensor: 8 },
    { command: 'fit', model, device },
  ])),
  ...models.map((model) => ({ command: 'count', model, batch: 3, sequence: 77 })),
  { command: 'plan', job: 'train', model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', devices: 16, global_batch: 128, threads: 1 },
  { command: 'plan', job: 'serve', model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', rate: 5, ttft: '500ms', tpot: '50ms', requests: 400 },
  { command: 'sweep', request: { command: 'report', job: 'serve', model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb' }, over: ['concurrency=1,8,64'] },
  { command: 'compare', model: 'Llama-3.1-8B', devices: 'h100-sxm5-80gb,b200' },
  { command: 'product', device: 'h100-sxm5-80gb', m: 4096, n: 14336, k: 4096 },
  { command: 'collective', device: 'h100-sxm5-80gb', collective: 'all_reduce', bytes: 1e9, ranks: 8 },
  { command: 'schema' }, { command: 'models' }, { command: 'devices' }, { command: 'conventions' },
  { command: 'report', model: 'Llama-9', device: 'h100-sxm5-80gb' },
  { command: 'report', job: 'train', model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', data: 'inf' },
  { command: 'report', job: 'train', model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', sequence: '0x10' },
  { command: 'report', job: 'train', model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', usable: '1e999' },
  { command: '' }, {},
];
