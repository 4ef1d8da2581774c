// Pictures of an answer, as SVG. What they show stands beside them as a table, too.
import { axisBottom, axisLeft } from 'd3-axis';
import { scaleBand, scaleLinear, scaleLog } from 'd3-scale';
import { create } from 'd3-selection';
import { shown, words } from './numbers.js';

/** As wide as the screen lets it be, so that its text keeps its size. */
const wide = () => Math.max(320, Math.min(720, window.innerWidth - 40));

function figure(width, height, title, about) {
  const svg = create('svg').attr('viewBox', `0 0 ${width} ${height}`).attr('role', 'img').attr('class', 'picture');
  svg.append('title').text(title);
  svg.append('desc').text(about);
  return svg;
}

/** Parts of a whole, one bar a group, against a limit. groups: [{name, parts: [[key, value]]}]. */
export function stacked(groups, key_of_unit, title, limit) {
  const names = [...new Set(groups.flatMap((g) => g.parts.map(([key]) => key)))];
  const sum = (g) => g.parts.reduce((all, [, value]) => all + value, 0);
  const most = Math.max(...groups.map(sum), limit?.value ?? 0);
  const width = wide(), bar = 26, left = groups.length > 1 ? 70 : 8, height = 44 + groups.length * (bar + 8);
  const x = scaleLinear([0, most || 1], [left, width - 28]);
  const about = groups.map((g) => `${g.name}: ${g.parts.map(([key, v]) => `${words(key)} ${shown(v, key_of_unit)}`).join(', ')}`).join('. ');
  const svg = figure(width, height, title, about);
  groups.forEach((group, row) => {
    const y = 8 + row * (bar + 8);
    let at = 0;
    for (const [key, value] of group.parts) {
      const part = svg.append('rect').attr('x', x(at)).attr('y', y).attr('height', bar).attr('class', `part part-${names.indexOf(key) % 10}`)
        .attr('width', Math.max(0, x(at + value) - x(at)));
      part.append('title').text(`${words(key)}: ${shown(value, key_of_unit)}`);
      at += value;
    }
    if (groups.length > 1) svg.append('text').attr('x', left - 6).attr('y', y + bar * 0.68).attr('text-anchor', 'end').text(group.name);
  });
  const bottom = 8 + groups.length * (bar + 8);
  if (limit) {
    svg.append('line').attr('class', 'limit').attr('x1', x(limit.value)).attr('x2', x(limit.value)).attr('y1', 2).attr('y2', bottom)
      .append('title').text(`${limit.name}: ${shown(limit.value, key_of_unit)}`);
  }
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${bottom})`)
    .call(axisBottom(x).ticks(width > 500 ? 5 : 3).tickFormat((v) => shown(v, key_of_unit)));
  const legend = create('ul').attr('class', 'legend');
  names.forEach((key, i) => {
    const item = legend.append('li');
    item.append('span').attr('class', `swatch part-${i % 10}`).attr('aria-hidden', 'true');
    const one = groups.length === 1 ? ` ${shown(groups[0].parts[i][1], key_of_unit)}` : '';
    item.append('span').text(words(key) + one);
  });
  return [svg.node(), legend.node()];
}

/** The powers of ten from one number to another. */
function decades(low, high) {
  const from = Math.ceil(Math.log10(low)), to = Math.floor(Math.log10(high));
  return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
}

/** Operations under the roof of a device. operations: [{name, intensity, rate}], in FLOP a byte and FLOP/s. */
export function roofline(operations, peak, bandwidth, title) {
  const width = wide(), height = 340, left = 86, bottom = height - 44;
  const shown_ones = operations.filter((o) => o.intensity > 0 && o.rate > 0);
  const low = Math.min(0.1, ...shown_ones.map((o) => o.intensity)), high = Math.max((10 * peak) / bandwidth, ...shown_ones.map((o) => 2 * o.intensity));
  const x = scaleLog([low, high], [left, width - 28]), y = scaleLog([low * bandwidth, peak * 2], [bottom, 12]);
  const svg = figure(width, height, title, shown_ones.map((o) => `${o.name}: ${shown(o.intensity, '')} FLOP a byte`).join('. '));
  svg.append('polyline').attr('class', 'roof')
    .attr('points', [[low, low * bandwidth], [peak / bandwidth, peak], [high, peak]].map(([a, b]) => `${x(a)},${y(b)}`).join(' '));
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${bottom})`).call(axisBottom(x).tickValues(decades(low, high)).tickFormat((v) => shown(v, '')));
  svg.append('g').attr('class', 'axis').attr('transform', `translate(${left},0)`)
    .call(axisLeft(y).tickValues(decades(low * bandwidth, peak * 2)).tickFormat((v) => shown(v, 'of_flop_per_second')));
  svg.append('text').attr('x', (left + width) / 2).attr('y', height - 6).attr('text-anchor', 'middle').text('FLOP a byte moved');
  for (const o of shown_ones)
    svg.append('circle').attr('class', 'operation').attr('cx', x(o.intensity)).attr('cy', y(o.rate)).attr('r', 5)
      .append('title').text(`${o.name}: ${shown(o.intensity, '')} FLOP a byte, ${shown(o.rate, 'of_flop_per_second')}`);
  return [svg.node()];
}

/** One value a name. rows: [[name, value]]. */
export function bars(rows, key, title) {
  const width = wide(), height = 12 + rows.length * 26, left = width > 500 ? 190 : 130;
  const x = scaleLinear([0, Math.max(...rows.map(([, v]) => v)) || 1], [left, width - 120]);
  const y = scaleBand(rows.map(([name]) => name), [4, height - 4]).padding(0.25);
  const svg = figure(width, height, title, rows.map(([name, v]) => `${name}: ${shown(v, key)}`).join('. '));
  for (const [name, value] of rows) {
    svg.append('rect').attr('class', 'part part-0').attr('x', left).attr('y', y(name)).attr('height', y.bandwidth()).attr('width', x(value) - left);
    svg.append('text').attr('x', left - 6).attr('y', y(name) + y.bandwidth() * 0.75).attr('text-anchor', 'end').text(name);
    svg.append('text').attr('x', x(value) + 5).attr('y', y(name) + y.bandwidth() * 0.75).text(shown(value, key));
  }
  return [svg.node()];
}

