// What stands beside the form: the pictures and tables of each view's answer. Every number is a member of the answer.
import { element } from './form.js';
import { shown, words } from './numbers.js';
import { bars, roofline, stacked } from './pictures.js';

const section = (title, ...children) => element('section', {}, element('h2', {}, title), ...children);

function table(rows, head) {
  const body = element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((cell, i) =>
    i === 0 ? element('th', { scope: 'row' }, String(cell)) : element('td', {}, String(cell))))));
  const top = head ? [element('thead', {}, element('tr', {}, ...head.map((cell) => element('th', { scope: 'col' }, cell))))] : [];
  return element('div', { class: 'wide', tabindex: '0' }, element('table', {}, ...top, body));
}

/** Members that are numbers and end so, without those of `not`. */
const parts_of = (object, end, not = []) =>
  Object.entries(object).filter(([key, value]) => typeof value === 'number' && key.endsWith(end) && !not.includes(key));
const numbers = (object, not = []) =>
  element('details', {}, element('summary', {}, 'Every number'), table(Object.entries(object).filter(([key, value]) => (typeof value === 'number' || typeof value === 'string') && !not.includes(key))
    .map(([key, value]) => [words(key), shown(value, key)])));

const sums = ['allocated_bytes', 'total_bytes', 'available_bytes', 'device_bytes', 'kv_cache_bytes_per_sequence'];

function memory_of(memory) {
  const limit = { name: 'available', value: memory.available_bytes };
  const stages = memory.stages?.length > 1
    ? memory.stages.map((stage) => ({ name: `stage ${stage.stage}`, parts: parts_of(stage, '_bytes', sums) }))
    : [{ name: 'memory', parts: parts_of(memory, '_bytes', sums) }];
  const verdict = element('p', { class: memory.fits ? 'verdict fits' : 'verdict too-large' },
    `${memory.fits ? 'Fits' : 'Does not fit'}: ${shown(memory.total_bytes, 'total_bytes')} of ${shown(memory.available_bytes, 'available_bytes')}`);
  const remedies = (memory.remedies ?? []).map((one) => element('li', {}, typeof one === 'string' ? one : Object.values(one).map(String).join(', ')));
  return section('Memory of a device', verdict, ...stacked(stages, 'total_bytes', 'Memory by part', limit),
    ...(remedies.length ? [element('p', {}, 'What would make it fit:'), element('ul', {}, ...remedies)] : []), numbers(memory));
}

const band = (bands) => (bands?.length
  ? section('How far to trust it', table(bands.map((one) => [one.table, one.rows, shown(one.median_percent, 'of_percent'),
    `${one.inside_percent} % of them: ${one.lowest_percent} % to ${one.highest_percent} %`, one.unseen ? 'no row of it was fitted' : 'a constant was fitted on some']),
    ['measured table', 'rows', 'median error', 'predicted over measured less one', '']))
  : section('How far to trust it', element('p', {}, 'No measured run like this one is among our tables.')));

function step_of(time) {
  const parts = [['forward', time.forward_seconds], ['backward', time.backward_seconds], ['recompute', time.recompute_seconds], ['bubble', time.bubble_seconds],
    ...Object.entries(time.exposed_communication_seconds).map(([group, value]) => [`${group} communication`, value]),
    ['optimizer', time.optimizer_seconds], ['data loading', time.data_loading_seconds], ['host', time.host_seconds]].filter(([, value]) => value > 0);
  return section('Time of a step', ...stacked([{ name: 'step', parts }], 'step_seconds', 'Time of a step by cause'), numbers(time));
}

function train(answer) {
  return [memory_of(answer.memory), step_of(answer.time), band(answer.error_bands), section('The plan', numbers(answer.plan))];
}

function serve(answer) {
  const time = answer.time;
  return [memory_of(answer.memory),
    section('Time of a batch', ...bars([['first token', time.time_to_first_token_seconds], ['first token, floor', time.time_to_first_token_floor_seconds],
      ['a further token', time.time_per_output_token_seconds], ['a further token, floor', time.time_per_output_token_floor_seconds]],
    'of_seconds', 'Time to the first token and of each further one'), numbers(time)), band(answer.error_bands)];
}

function pass(answer) {
  const rows = answer.operations.map((one) => {
    const flops = one.matmul_flops + one.elementwise_flops;
    const seconds = Math.max(one.floor_compute_seconds ?? 0, one.floor_bandwidth_seconds ?? 0);
    return { ...one, intensity: one.moved_bytes > 0 ? flops / one.moved_bytes : 0, rate: seconds > 0 ? flops / seconds : 0 };
  });
  const named = rows.map((one) => ({ ...one, name: one.part ? `${one.part}: ${one.name}` : one.name }));
  return [section('Roofline', ...roofline(named, answer.peak_flop_per_second, answer.memory_bandwidth_bytes_per_second, 'Operations under the roof of the device')),
    section('Operations', table(named.map((one) => [one.name, one.repeat, shown(one.parameters, ''), shown(one.macs, 'of_macs'), shown(one.moved_bytes, 'of_bytes'), one.bound_by ?? '–']),
      ['operation', 'times', 'parameters', 'MACs', 'moved', 'bound by'])), section('The pass', numbers(answer))];
}

function fit(answer) {
  const of = (list, job) => table(list.map((one) => [[one.recipe, one.recompute && `recompute ${one.recompute}`, one.adapter_rank ? `adapters of rank ${one.adapter_rank}` : '']
    .filter(Boolean).join(', '), shown(one.needed_bytes, 'needed_bytes'), shown(one.fits, 'fits'), ...(job === 'serve'
    ? [shown(one.max_concurrency, ''), shown(one.longest_context, '')] : [shown(one.largest_micro_batch, ''), shown(one.longest_sequence, '')]), shown(one.fewest_devices, '')]),
  ['format', 'needs', 'fits', ...(job === 'serve' ? ['most sequences', 'longest context'] : ['largest micro-batch', 'longest sequence']), 'fewest devices']);
  return [...(answer.serve ? [section('To serve', of(answer.serve.formats, 'serve'))] : []), ...(answer.train ? [section('To train', of(answer.train.ways, 'train'))] : [])];
}

function compare(answer) {
  const answered = answer.devices.filter((one) => one.serve || one.train);
  const rows = (job, key) => answered.filter((one) => one[job]?.time?.[key] > 0).map((one) => [one.device, one[job].time[key]]);
  const drawn = [['serve', 'output_tokens_per_second', 'Serving: output tokens a second'], ['serve', 'time_per_output_token_seconds', 'Serving: time of a further token'],
    ['train', 'tokens_per_second', 'Training: tokens a second']].filter(([job, key]) => rows(job, key).length > 0);
  const row = (title, of) => [title, ...answered.map((one) => of(one) ?? '–')];
  return [...drawn.map(([job, key, title]) => section(title, ...bars(rows(job, key), key, title))),
    section('Beside each other', table([
      row('serving needs', (one) => one.serve && shown(one.serve.memory.total_bytes, 'of_bytes')), row('serving fits', (one) => one.serve && shown(one.serve.memory.fits, '')),
      row('most sequences', (one) => one.serve && shown(one.serve.memory.max_concurrency, '')),
      row('first token', (one) => one.serve?.time && shown(one.serve.time.time_to_first_token_seconds, 'of_seconds')),
      row('training: devices', (one) => one.train && shown(one.train.devices, '')), row('training: ZeRO', (one) => one.train && shown(one.train.plan.zero, '')),
      row('training needs', (one) => one.train && shown(one.train.memory.total_bytes, 'of_bytes')), row('training fits', (one) => one.train && shown(one.train.memory.fits, '')),
      row('step', (one) => one.train?.time && shown(one.train.time.step_seconds, 'of_seconds')), row('MFU', (one) => one.train?.time && shown(one.train.time.mfu, 'mfu')),
    ], ['', ...answered.map((one) => one.device)])),
    ...answer.devices.filter((one) => Object.keys(one.refused ?? {}).length > 0)
      .map((one) => section(`${one.device}: not answered`, numbers(one.refused)))];
}

function plan(answer) {
  if (answer.best.length === 0) return [section('Best plans', element('p', {}, 'No plan fits.'), numbers(answer.plans))];
  const groups = answer.best.map((one, i) => ({ name: `plan ${i + 1}`, parts: parts_of(one.parts_seconds ?? {}, '').filter(([, v]) => v > 0) }));
  const members = Object.keys(answer.best[0].plan);
  return [section('Best plans', ...(groups[0].parts.length ? stacked(groups, 'step_seconds', 'Time of a step by cause, plan by plan') : []),
    table([['step', ...answer.best.map((one) => shown(one.step_seconds, 'step_seconds'))], ['memory', ...answer.best.map((one) => shown(one.memory_bytes, 'memory_bytes'))],
      ...(answer.best[0].cost_dollars_per_step !== undefined ? [['cost', ...answer.best.map((one) => shown(one.cost_dollars_per_step, 'of_dollars'))]] : []),
      ...members.map((key) => [words(key), ...answer.best.map((one) => shown(one.plan[key], ''))])], ['', ...answer.best.map((_, i) => `plan ${i + 1}`)])),
  section('Plans', numbers(answer.plans), element('p', {}, 'Why plans were refused:'),
    table(Object.entries(answer.plans.refused ?? {}).filter(([, n]) => n > 0).map(([why, n]) => [why, shown(n, '')])))];
}

/** Any answer as tables: what has no picture of its own. */
export function anything(value, title = 'Answer') {
  if (Array.isArray(value))
    return value.length && typeof value[0] === 'object' && value[0] !== null
      ? section(title, table(value.map((one) => Object.entries(one).map(([key, v]) => (typeof v === 'object' && v !== null ? '…' : shown(v, key)))), Object.keys(value[0]).map(words)))
      : section(title, element('p', {}, value.join(', ') || 'none'));
  const inner = Object.entries(value).filter(([, v]) => typeof v === 'object' && v !== null && Object.keys(v).length > 0);
  return section(title, numbers(value), ...inner.map(([key, v]) => anything(v, words(key))));
}

const drawn = { train, serve, pass, fit, plan, compare };

export function pictures_of(view, answer) {
  return drawn[view.id] ? drawn[view.id](answer) : [anything(answer, view.title)];
}
