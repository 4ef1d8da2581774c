// The page in Chromium, from a file: answers, errors at their fields, the address, hostile files, accessibility.
// node page.mjs PAGE.html CHROMIUM [FOLDER for screenshots]
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [page_path, browser_path, folder] = process.argv.slice(2);
const skipped = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(0);
};
if (!existsSync(page_path)) skipped('scripts/web has not built the page');
if (!browser_path || !existsSync(browser_path)) skipped('no Chromium');
const { chromium } = await import('playwright-core').catch(() => skipped('npm has not installed playwright-core'));
const address = pathToFileURL(resolve(page_path)).href;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let failed = 0;
const check = (holds, what) => {
  if (holds) return;
  ++failed;
  console.error(`does not hold: ${what}`);
};

const browser = await chromium.launch({ executablePath: browser_path, args: ['--no-sandbox'] });

/** A page that complains of every console error. */
async function opened(hash = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 }, ...options });
  const page = await context.newPage();
  page.on('console', (line) => line.type() === 'error' && check(false, `no error on the console: ${line.text()}`));
  page.on('pageerror', (problem) => check(false, `no error: ${problem}`));
  page.on('request', (asked) => check(/^(file|data|blob):/.test(asked.url()), `nothing is fetched: ${asked.url()}`));
  await page.goto(address + hash);
  await page.waitForSelector('body[data-ready]', { timeout: 60000 });
  return page;
}
const answered = (page) => page.waitForFunction(() => document.getElementById('json').textContent.length > 2, null, { timeout: 30000 });
const said = (page) => page.$eval('#json', (json) => JSON.parse(json.textContent));
const view = async (page, id) => {
  await page.$eval('#json', (json) => { json.textContent = ''; });
  await page.click(`[data-view=${id}]`);
};

const page = await opened();
await answered(page);
check((await said(page)).model === 'Llama-3.1-8B', 'the first view answers');
check((await page.textContent('#guard')).includes('static_assert(fits<job, hardware::h100_sxm5_80gb>)'), 'a training step has a guard to copy');
for (const id of ['serve', 'pass', 'fit', 'compare']) {
  await view(page, id);
  await answered(page);
  check(await page.$('#answer section'), `${id} shows something`);
  check(!(await page.isVisible('#guarded')), `${id} shows no guard of another question`);
}
for (const id of ['plan', 'plan_serve']) {
  await view(page, id);
  await page.click('#start');
  await page.waitForFunction(() => document.getElementById('json').textContent.length > 2, null, { timeout: 120000 });
  check((await said(page)).best.length > 0, `${id} finds plans`);
}

// What is typed is answered in time; the address holds it.
await view(page, 'train');
await answered(page);
await page.fill('[name=sequence]', '8k');
await page.waitForFunction(() => JSON.parse(document.getElementById('json').textContent).plan.sequence === 8000);
check(page.url().includes('sequence=8k'), 'the address holds the state');
const times = [];
for (let i = 1; i <= 20; ++i) {
  await page.fill('[name=data]', String(i));
  await page.waitForFunction((n) => JSON.parse(document.getElementById('json').textContent).plan.data === n, i);
  times.push(parseFloat((await page.textContent('#time')).match(/[\d.]+/)[0]));
}
times.sort((a, b) => a - b);
console.log(`an answer takes ${times[10].toFixed(1)} ms in the middle`);
const again = await opened(new URL(page.url()).hash);
await answered(again);
check((await said(again)).plan.sequence === 8000, 'an address opens what it holds');

// Errors stand at their field.
await page.fill('[name=sequence]', 'many');
await page.waitForSelector('[data-key=sequence] .problem:not(:empty)');
check((await page.textContent('[data-key=sequence] .problem')).includes('"many"'), "the library's error stands at its field");
check(await page.$eval('[name=sequence]', (field) => field.hasAttribute('aria-invalid')), 'the field is marked');

// Files of one's own, and hostile ones.
const config = { architectures: ['LlamaForCausalLM'], model_type: 'llama', hidden_size: 4096, num_hidden_layers: 32, num_attention_heads: 32, num_key_value_heads: 8,
  intermediate_size: 14336, vocab_size: 128256, max_position_embeddings: 8192, hidden_act: 'silu', rms_norm_eps: 1e-5, rope_theta: 500000.0, tie_word_embeddings: false };
await view(page, 'pass');
const upload = (name, text) => page.setInputFiles('#file', { name, mimeType: 'application/json', buffer: Buffer.from(text) });
await upload('config.json', JSON.stringify(config));
await page.waitForFunction(() => document.getElementById('json').textContent.includes('"parameters": 8030261248'));
for (const [name, text] of [['config.json', '{'], ['config.json', '<script>window.broken = 1</script>'], ['config.json', '['.repeat(100000)],
  ['config.json', JSON.stringify({ ...config, model_type: '<img src=x onerror="window.broken = 1">', architectures: undefined })],
  ['config.json', JSON.stringify({ ...config, hidden_size: 1e300 })], ['config.json', '\u0000\uffff'], ['x.gguf', 'GGUF' + '\xff'.repeat(64)]]) {
  await page.$eval('#form', (form) => { for (const one of form.querySelectorAll('.problem')) one.textContent = ''; });
  await upload(name, text);
  await page.waitForFunction(() => [...document.querySelectorAll('.problem')].some((one) => one.textContent !== ''), null, { timeout: 30000 });
}
check(await page.evaluate(() => window.broken === undefined), 'nothing of a file runs');

// Seen by people, and by screen readers.
for (const [name, options] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }]])
  for (const id of ['train', 'serve', 'pass', 'fit', 'compare']) {
    const one = await opened('', options);
    await view(one, id);
    await answered(one);
    const found = await one.evaluate(`(() => { const module = undefined; const define = undefined; ${axe}; return axe.run(); })()`);
    for (const problem of found.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical'))
      check(false, `axe, ${id}, ${name}: ${problem.id}: ${problem.help}: ${problem.nodes[0].html.slice(0, 200)}`);
    check(await one.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1), `${id}, ${name}: nothing is wider than the screen`);
    if (folder) await one.screenshot({ path: join(folder, `${id}-${name}.png`), fullPage: true });
    await one.context().close();
  }

await browser.close();
console.log(failed ? `${failed} did not hold` : 'the page holds');
process.exit(failed ? 1 : 0);
