// The page: a form made of the schema, a question at every change, an answer beside it. The address holds what was asked.
import { pictures_of } from './answers.js';
import { element, form_of, show_problem, values_of } from './form.js';
import { Library } from './library.js';
import { command_line, request_of, views } from './views.js';

const place = (id) => document.getElementById(id);
const bytes_of = (text) => Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
const unzipped = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

const source = URL.createObjectURL(new Blob([place('worker').textContent], { type: 'text/javascript' }));
let wasm, library;
let searching = null;

const schema = new Map(); // "report train": Map of key to what the schema says of it
let view = views[0];
let files = {}; // own config files by path

const keys_of = (one) => schema.get(`${one.command} ${one.job ?? ''}`.trim());

function written() {
  const state = new URLSearchParams({ view: view.id, ...values_of(place('form')) });
  if (files['/config.json']) state.set('config', new TextDecoder().decode(files['/config.json']));
  return state.toString();
}

function read() {
  const state = new URLSearchParams(location.hash.slice(1));
  const found = views.find((one) => one.id === state.get('view')) ?? views[0];
  const config = state.get('config');
  if (config) files = { '/config.json': new TextEncoder().encode(config) };
  const values = Object.fromEntries([...state].filter(([key]) => keys_of(found).has(key)));
  return { found, values: Object.keys(values).length ? values : found.start };
}

function show(one, values) {
  view = one;
  for (const tab of document.querySelectorAll('nav button')) tab.setAttribute('aria-current', tab.dataset.view === one.id ? 'page' : 'false');
  place('form').replaceChildren(...form_of(one, keys_of(one), values));
  place('search').hidden = !one.search;
  place('answer').replaceChildren();
  place('guarded').hidden = true;
  changed();
}

function changed() {
  history.replaceState(null, '', `#${written()}`);
  const request = request_of(view, values_of(place('form')));
  place('command').textContent = command_line(request, keys_of(view));
  place('request').textContent = JSON.stringify(request);
  if (!view.search) ask(library, request);
  else show_problem(place('form'), null);
}

async function ask(of, request) {
  const asked = view;
  const found = await of.ask(request, files).catch((problem) => ({ answer: { error: { message: String(problem), field: null } } }));
  if (found === null || asked !== view) return;
  const { answer, milliseconds } = found;
  place('time').textContent = milliseconds === undefined ? '' : `answered in ${milliseconds.toFixed(1)} ms`;
  const problem = answer.error;
  const placed = show_problem(place('form'), problem);
  place('guarded').hidden = true;
  place('problem').textContent = problem && !placed ? problem.message : '';
  place('answer').classList.toggle('stale', Boolean(problem));
  if (problem) return;
  place('answer').replaceChildren(...pictures_of(asked, answer));
  place('guard').textContent = answer.guard ?? '';
  place('guarded').hidden = !answer.guard;
  place('json').textContent = JSON.stringify(answer, null, 1);
}

async function search() {
  searching ??= new Library(source, wasm);
  place('progress').textContent = 'searching';
  searching.progress = (share) => { place('progress').textContent = `${Math.floor(100 * share)} %`; };
  place('start').disabled = true;
  place('stop').disabled = false;
  await ask(searching, request_of(view, values_of(place('form'))));
  place('progress').textContent = '';
  place('start').disabled = false;
  place('stop').disabled = true;
}

async function take(file) {
  // Weights stay where they are: the first megabytes of a GGUF or safetensors file hold its header.
  const bytes = new Uint8Array(await file.slice(0, 64 * 1024 * 1024).arrayBuffer());
  const path = /\.(gguf|safetensors)$/.test(file.name) ? `/${file.name.replace(/[^\w.-]/g, '_')}` : '/config.json';
  own(path, bytes);
}

function own(path, bytes) {
  files = { [path]: bytes };
  const model = place('form').querySelector('[name=model]');
  if (model) model.value = path;
  changed();
}

function listen() {
  place('form').addEventListener('input', changed);
  place('form').addEventListener('submit', (event) => { event.preventDefault(); if (view.search) search(); });
  place('start').addEventListener('click', search);
  place('stop').addEventListener('click', () => searching?.stop());
  place('file').addEventListener('change', (event) => event.target.files[0] && take(event.target.files[0]));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
  place('pasted').addEventListener('input', (event) => {
    if (event.target.value.trim()) own('/config.json', new TextEncoder().encode(event.target.value));
  });
  for (const button of document.querySelectorAll('[data-copy]'))
    button.addEventListener('click', () => navigator.clipboard.writeText(place(button.dataset.copy).textContent));
  addEventListener('hashchange', () => { const { found, values } = read(); show(found, values); });
}

async function start() {
  wasm = await unzipped(bytes_of(place('module').textContent));
  library = new Library(source, wasm);
  const ask_for = async (command) => (await library.ask({ command })).answer;
  for (const one of (await ask_for('schema')).requests)
    schema.set(`${one.command} ${one.job ?? ''}`.trim(), new Map(one.keys.map((key) => [key.key, key])));
  place('models').append(...(await ask_for('models')).models.map((one) => element('option', { value: one.name })));
  place('devices-list').append(...(await ask_for('devices')).devices.map((one) => element('option', { value: one.id }, one.product)));
  for (const one of views) {
    const tab = element('button', { type: 'button', 'data-view': one.id }, one.title);
    tab.addEventListener('click', () => {
      const kept = values_of(place('form'));
      const shared = Object.fromEntries(['model', 'device'].filter((key) => kept[key] && keys_of(one).has(key)).map((key) => [key, kept[key]]));
      show(one, { ...one.start, ...shared });
    });
    place('views').append(tab);
  }
  listen();
  const { found, values } = read();
  show(found, values);
  document.body.dataset.ready = 'true';
}

start().catch((problem) => { place('problem').textContent = `The library did not start: ${problem.message ?? problem}`; });
