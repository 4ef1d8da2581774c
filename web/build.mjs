// One file of everything: the page, its script, the worker, the module. It works from a server and from a disk, and its
// policy lets nothing else run. node build.mjs MODULE_FOLDER OUTPUT.html
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const [folder, output] = process.argv.slice(2);
if (!output) {
  console.error('usage: node build.mjs MODULE_FOLDER OUTPUT.html');
  process.exit(2);
}
const source = (name) => readFileSync(join(here, 'src', name), 'utf8');
const bundled = await build({ entryPoints: [join(here, 'src/app.js')], bundle: true, minify: true, format: 'iife', target: 'es2022', write: false });

/** A script's end within it would end the element that holds it. */
const inside = (text) => text.replace(/<\/(script)/gi, '<\\/$1');
const app = inside(bundled.outputFiles[0].text);
const style = source('style.css').trim();
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = ["default-src 'none'", `script-src ${hash(app)} 'wasm-unsafe-eval' blob:`, 'worker-src blob:', `style-src ${hash(style)}`, 'img-src data:',
  "base-uri 'none'", "form-action 'none'"].join('; ');

const parts = {
  policy, style, app,
  worker: inside(readFileSync(join(folder, 'flopledger.js'), 'utf8') + source('worker.js')),
  module: gzipSync(readFileSync(join(folder, 'flopledger.wasm')), { level: 9 }).toString('base64'),
};
const page = source('page.html').replace(/{{(\w+)}}/g, (_, name) => parts[name]);
writeFileSync(output, page);
console.log(`${output}: ${(page.length / 1e6).toFixed(2)} MB, ${(gzipSync(page, { level: 9 }).length / 1e6).toFixed(2)} MB compressed`);
