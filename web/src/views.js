// The questions that the page asks: which request each is, and which of its options stand in front. Every other option
// of the request stands behind them, as the schema has it.

export const views = [
  { id: 'train', title: 'Training', command: 'report', job: 'train',
    front: ['model', 'device', 'sequence', 'micro_batch', 'global_batch', 'data', 'tensor', 'pipeline', 'zero', 'recompute', 'recipe'],
    start: { model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', data: '8', zero: '1', recompute: 'selective' } },
  { id: 'serve', title: 'Serving', command: 'report', job: 'serve',
    front: ['model', 'device', 'prompt', 'output', 'concurrency', 'tensor', 'recipe', 'kv_cache', 'engine'],
    start: { model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', concurrency: '32' } },
  { id: 'pass', title: 'Operations', command: 'report',
    front: ['model', 'device', 'batch', 'sequence', 'context', 'recipe'],
    start: { model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb' } },
  { id: 'fit', title: 'What fits', command: 'fit',
    front: ['model', 'device'],
    start: { model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb' } },
  { id: 'plan', title: 'Best training plans', command: 'plan', job: 'train', search: true,
    front: ['model', 'device', 'devices', 'global_batch', 'sequence', 'goal', 'price', 'recipe'],
    start: { model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', devices: '16', global_batch: '128' }, fixed: { threads: 1 } },
  { id: 'plan_serve', title: 'Serving plans', command: 'plan', job: 'serve', search: true,
    front: ['model', 'device', 'rate', 'prompt', 'output', 'ttft', 'tpot', 'price'],
    start: { model: 'Llama-3.1-8B', device: 'h100-sxm5-80gb', rate: '20', ttft: '500ms', tpot: '50ms' } },
  { id: 'compare', title: 'Devices', command: 'compare',
    front: ['model', 'devices'],
    start: { model: 'Llama-3.1-8B', devices: 'h100-sxm5-80gb,a100-sxm4-80gb,b200' } },
];

/** The request of a view with what was filled in; an own config goes by its file. */
export function request_of(view, values) {
  const request = { command: view.command, ...(view.job ? { job: view.job } : {}), ...view.fixed };
  for (const [key, value] of Object.entries(values)) {
    if (value === '' || value === undefined || value === null) continue;
    request[key] = value;
  }
  return request;
}

const quoted = (word) => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The same as a command line. */
export function command_line(request, keys) {
  const { command, job, model, threads, ...options } = request;
  const words = ['flopledger', command, ...(job ? [job] : []), ...(model === undefined ? [] : [quoted(model)])];
  for (const [key, value] of Object.entries(options)) {
    const name = `--${key.replaceAll('_', '-')}`;
    if (keys.get(key)?.type === 'true or false') {
      if (value === true || value === 'true') words.push(name);
    } else words.push(name, quoted(String(value)));
  }
  return words.join(' ');
}
