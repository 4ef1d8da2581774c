// Numbers as people read them; the unit stands in the key.

const units = [
  ['bytes_per_second', 'B/s', 1], ['flop_per_second', 'FLOP/s', 1], ['tokens_per_second', 'tokens/s', 0],
  ['bytes', 'B', 1024], ['seconds', 's', 1], ['percent', '%', 0], ['watts', 'W', 1], ['joules', 'J', 1],
  ['dollars', 'USD', 0], ['flops', 'FLOP', 1], ['macs', 'MAC', 1],
];
const above = ['', 'k', 'M', 'G', 'T', 'P', 'E'], below = ['', 'm', 'µ', 'n', 'p'];
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

const three = (x) => (Number.isInteger(x) && Math.abs(x) < 1000 ? String(x) : x.toPrecision(3).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''));

function scaled(value, unit, step, prefixes) {
  let at = 0;
  while (at + 1 < prefixes.length && Math.abs(value) >= step * 0.9995) {
    value /= step;
    ++at;
  }
  return `${three(value)} ${prefixes[at]}${unit}`.trim();
}

/** 45868033076, "total_bytes": "42.7 GiB". */
export function shown(value, key) {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  const [, unit, kind] = units.find(([word]) => `_${key}_`.includes(`_${word}_`)) ?? ['', '', -1];
  if (kind === 1024) return scaled(value, 'B', 1024, binary);
  if (kind === 1) {
    if (value !== 0 && Math.abs(value) < 1 && unit === 's') {
      let at = 0;
      while (at + 1 < below.length && Math.abs(value) < 0.9995) {
        value *= 1000;
        ++at;
      }
      return `${three(value)} ${below[at]}${unit}`;
    }
    return scaled(value, unit, 1000, above);
  }
  if (/^(mfu|hfu|mfu_causal|share_of_peak)$/.test(key)) return `${three(100 * value)} %`;
  const grouped = Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : three(value);
  return unit ? `${grouped} ${unit}` : grouped;
}

/** "exposed_communication_seconds" as words. */
export const words = (key) =>
  key.replace(/_(bytes|seconds|percent)$/, '').replaceAll('_', ' ').replace(/\b(mfu|hfu|kv)\b/g, (w) => w.toUpperCase()).trim();
