// The library, away from the page: one request, one answer. `make_module` is emscripten's, put before this by build.mjs.
let module;

/** The answer's text to a request's text. */
function ask(request) {
  const size = module.lengthBytesUTF8(request);
  const text = module._malloc(size + 1);
  const answer = module._malloc(4);
  try {
    module.stringToUTF8(request, text, size + 1);
    module._flopledger_ask(text, size, answer);
    const found = module.HEAPU32[answer >> 2];
    if (found === 0) throw new Error('out of memory');
    const said = module.UTF8ToString(found);
    module._flopledger_release(found);
    return said;
  } finally {
    module._free(text);
    module._free(answer);
  }
}

self.onmessage = async ({ data }) => {
  if (data.wasm) {
    try {
      let told = 0;
      const progress = (share) => {
        if (performance.now() - told < 100) return;
        told = performance.now();
        self.postMessage({ share });
      };
      module = await flopledger_module({ wasmBinary: data.wasm, progress });
      self.postMessage({ ready: true });
    } catch (problem) {
      self.postMessage({ failed: String(problem) });
    }
    return;
  }
  for (const [path, bytes] of Object.entries(data.files ?? {})) module.FS.writeFile(path, bytes);
  const began = performance.now();
  let answer;
  try {
    answer = ask(data.request);
  } catch (problem) {
    answer = JSON.stringify({ error: { message: `the module failed: ${problem}`, field: null, value: null } });
  }
  self.postMessage({ id: data.id, answer, milliseconds: performance.now() - began });
};
