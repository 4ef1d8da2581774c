// The module's answers are the program's. node answers.mjs MODULE.js PROGRAM
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { requests } from './requests.mjs';

const [module_path, program] = process.argv.slice(2);
if (!existsSync(module_path)) {
  console.log('skipped: scripts/web has not built the module');
  process.exit(0);
}
const make_module = createRequire(import.meta.url)(resolve(module_path));
const module = await make_module({ wasmBinary: readFileSync(module_path.replace(/\.js$/, '.wasm')) });

function ask(request) {
  const text = JSON.stringify(request), size = module.lengthBytesUTF8(text);
  const at = module._malloc(size + 1), answer = module._malloc(4);
  module.stringToUTF8(text, at, size + 1);
  module._flopledger_ask(at, size, answer);
  const found = module.HEAPU32[answer >> 2], said = module.UTF8ToString(found);
  module._flopledger_release(found);
  module._free(at);
  module._free(answer);
  return JSON.parse(said);
}

// The two are built with other libraries of logarithms and powers, so a time may differ in its last digits.
function difference(a, b, path = '') {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b)) ? null : `${path}: ${a} and ${b}`;
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b ? null : `${path}: ${a} and ${b}`;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const found = difference(a[key], b[key], `${path}/${key}`);
    if (found) return found;
  }
  return null;
}

const ran = spawnSync(program, ['batch'], { input: requests.map((one) => JSON.stringify(one)).join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 28 });
const expected = ran.stdout.trim().split('\n').map((line) => JSON.parse(line));
let failed = expected.length === requests.length ? 0 : 1;
requests.forEach((request, i) => {
  const found = difference(ask(request), expected[i]);
  if (!found) return;
  ++failed;
  console.error(`${JSON.stringify(request)}\n  ${found}`);
});
console.log(`${requests.length} requests, ${failed} answered differently`);
process.exit(failed ? 1 : 0);
