// The style and the scripts of the report's page, as they stand in it. Plain text: open a report in a
// browser after changing them. As long as the page is: cut into pieces, nobody could read it as one.
#pragma once

#include <string_view>

namespace bristle::report {

inline constexpr std::string_view page_style = R"css(
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --edge: #e1e5ea; --text: #1c2127; --muted: #626d7a;
  --grid: #e9ecf0; --axis: #aab3be; --accent: #2563c9; --link: #33475f; --pin: #ffffff;
  --s0: #2563c9; --s1: #d2660a; --s2: #15875f; --s3: #b93a76;
  --s4: #7252c8; --s5: #0c84a6; --s6: #84622f; --s7: #5a6674;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1216; --card: #171b21; --edge: #272d36; --text: #e4e8ed; --muted: #95a0ae;
    --grid: #232932; --axis: #4d5764; --accent: #74a9ff; --link: #b9c6d6; --pin: #171b21;
    --s0: #74a9ff; --s1: #ffa55c; --s2: #4fc79c; --s3: #f285b6;
    --s4: #b7a0ff; --s5: #5cc6e2; --s6: #d3b07c; --s7: #a7b2c0;
  }
}
@media print {
  :root {
    color-scheme: light;
    --page: #ffffff; --card: #ffffff; --edge: #c9cfd6; --text: #000000; --muted: #444c55;
    --grid: #e3e6ea; --axis: #8b949f; --accent: #1d4f9f; --link: #26364a; --pin: #ffffff;
    --s0: #1d4f9f; --s1: #b85806; --s2: #0f6f4d; --s3: #a02d63;
    --s4: #5d3fb0; --s5: #086d8a; --s6: #6d4f22; --s7: #48525e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
main { max-width: 1360px; margin: 0 auto; padding: 32px 24px 40px; }
h1 { font-size: 26px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; margin: 0; }
.subtitle { color: var(--muted); margin: 4px 0 0; }
h2 { font-size: 15px; font-weight: 600; margin: 0; }
.top, .plots { display: grid; gap: 16px; margin-top: 20px; }
.plots { margin-top: 16px; }
@media (min-width: 900px) {
  .top.both { grid-template-columns: minmax(0, 1fr) minmax(300px, 380px); align-items: start; }
  .plots.many { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
.card {
  background: var(--card); border: 1px solid var(--edge); border-radius: 10px;
  padding: 14px 16px; min-width: 0;
}
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; min-height: 28px; }
.head h2 { margin-right: auto; }
table { border-collapse: collapse; width: 100%; margin-top: 6px; }
th, td { padding: 5px 0; border-top: 1px solid var(--grid); vertical-align: baseline; }
tr:first-child > * { border-top: 0; }
th { text-align: left; font-weight: 400; color: var(--muted); padding-right: 16px; }
td { text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.rows { margin-top: 16px; }
.wide { overflow-x: auto; max-height: 480px; overflow-y: auto; }
.sorted thead th { position: sticky; top: 0; background: var(--card); padding: 0; border-top: 0; text-align: right; }
.sorted thead button { border: 0; padding: 5px 0 5px 16px; color: var(--muted); white-space: nowrap; }
.sorted thead button::after { content: " \2195"; opacity: 0.35; }
.sorted th[aria-sort="ascending"] button::after { content: " \2191"; opacity: 1; }
.sorted th[aria-sort="descending"] button::after { content: " \2193"; opacity: 1; }
.sorted thead th:first-child, .sorted thead th.text, .sorted td.text { text-align: left; }
.sorted thead th:first-child button { padding-left: 0; }
.sorted td { padding-left: 16px; white-space: nowrap; }
.sorted td:first-child { padding-left: 0; }
.sorted td.text { white-space: normal; min-width: 8em; }
.sorted tbody tr:first-child > * { border-top: 1px solid var(--grid); }
.least { color: var(--s0); font-weight: 600; }
.most { color: var(--s1); font-weight: 600; }
.note { color: var(--muted); margin: 6px 0 0; font-size: 13px; }
.top:not(.both) table { width: auto; }
.top:not(.both) td { text-align: left; }
button, select {
  font: inherit; font-size: 13px; color: var(--text); background: var(--card);
  border: 1px solid var(--edge); border-radius: 6px; padding: 2px 10px; cursor: pointer;
}
button:hover, select:hover { border-color: var(--axis); }
button:focus-visible, select:focus-visible, input:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 1px;
}
button[aria-pressed="true"].mode { border-color: var(--accent); color: var(--accent); }
[hidden] { display: none !important; }
.legend { display: flex; flex-wrap: wrap; gap: 0 4px; margin: 2px -6px 0; }
.legend button { border: 0; padding: 1px 6px; display: flex; align-items: center; gap: 6px; }
.legend button[aria-pressed="false"] { opacity: 0.4; text-decoration: line-through; }
.legend svg { width: 18px; height: 10px; flex: none; }
.plot { display: flex; flex-direction: column; }
.chart { position: relative; padding-top: 4px; }
.plot .chart { margin-top: auto; }
.chart > svg {
  display: block; width: 100%; height: auto; cursor: crosshair; touch-action: pan-y;
  user-select: none; -webkit-user-select: none;
}
.chart.still > svg { cursor: default; touch-action: auto; }
svg text { font-size: 12px; fill: var(--muted); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); fill: none; shape-rendering: crispEdges; }
.axis { stroke: var(--axis); fill: none; shape-rendering: crispEdges; }
.curve { fill: none; stroke-width: 1.7; stroke-linejoin: round; stroke-linecap: round; }
.hair { stroke: var(--axis); stroke-dasharray: 3 3; }
.now { stroke: var(--accent); stroke-width: 1.2; opacity: 0.7; }
.dot { stroke: var(--card); stroke-width: 1.5; }
.select { fill: var(--accent); opacity: 0.14; }
.link { stroke: var(--link); stroke-width: 5; stroke-linecap: round; }
.fixed { stroke: var(--axis); stroke-width: 3; stroke-dasharray: 1 7; stroke-linecap: round; }
.edge { stroke: var(--link); stroke-width: 1.4; stroke-linecap: round; }
.edge.still { stroke: var(--axis); stroke-width: 1; }
.spring { stroke: var(--s2); stroke-width: 1.6; fill: none; stroke-linejoin: round; }
.drawing { display: block; width: 100%; height: auto; margin-top: 6px; }
.drawing .part { stroke: rgb(0 0 0 / 0.35); stroke-width: 0.6; stroke-linejoin: round; }
.drawing .region { fill: var(--s0); fill-opacity: 0.09; stroke: var(--s0); stroke-width: 2; stroke-linejoin: round; }
.drawing .ground { stroke: var(--axis); stroke-width: 2; }
.drawing .measure { fill: none; stroke: var(--s1); stroke-width: 1.2; stroke-dasharray: 5 3; }
.drawing .mark { fill: var(--s1); stroke: var(--card); stroke-width: 1; }
.drawing .word { fill: var(--text); paint-order: stroke; stroke: var(--card); stroke-width: 3; }
.view { color: var(--muted); font-size: 13px; }
.ghost { stroke: var(--link); stroke-width: 2; stroke-linecap: round; opacity: 0.13; fill: none; }
.pin { fill: var(--pin); stroke: var(--link); stroke-width: 1.8; }
.tip {
  position: absolute; top: 0; left: 0; pointer-events: none; z-index: 1; max-width: 100%;
  background: var(--card); border: 1px solid var(--axis); border-radius: 6px;
  padding: 5px 9px; font-size: 13px; line-height: 1.45; white-space: nowrap;
  box-shadow: 0 3px 12px rgb(0 0 0 / 0.16); font-variant-numeric: tabular-nums;
}
.tip .row { display: flex; gap: 8px; align-items: baseline; }
.tip .row i { width: 9px; height: 9px; border-radius: 50%; flex: none; }
.tip .row b { margin-left: auto; padding-left: 12px; font-weight: 600; }
.tip .at { color: var(--muted); }
.controls { display: flex; align-items: center; gap: 10px; margin-top: 8px; }
.controls input { flex: 1; min-width: 60px; accent-color: var(--accent); }
.controls output { font-variant-numeric: tabular-nums; min-width: 88px; text-align: right; }
.controls button { min-width: 74px; }
.none { color: var(--muted); padding: 48px 0; text-align: center; }
footer { color: var(--muted); font-size: 13px; margin-top: 20px; }
@media print {
  @page { margin: 14mm; }
  main { padding: 0; max-width: none; }
  .card { break-inside: avoid; }
  .controls, .tip, footer, .head button, .now, .hair { display: none !important; }
  .plots, .plots.many { display: block; }
  .plots .card { margin-top: 12px; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

inline constexpr std::string_view chart_script = R"js(
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const finite = Number.isFinite;

function svg(tag, attributes, parent) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (parent) parent.append(node);
  return node;
}
function html(tag, properties, parent) {
  const node = Object.assign(document.createElement(tag), properties);
  if (parent) parent.append(node);
  return node;
}

const superscript = n => String(n).replace('-', '⁻').replace(/\d/g, d => '⁰¹²³⁴⁵⁶⁷⁸⁹'[d]);
const minus = text => text.replace('-', '−');
function number(value, digits = 6) {
  if (!finite(value)) return 'none';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-3 && size < 1e6)) return minus(String(Number(value.toPrecision(digits))));
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  return minus(String(Number(mantissa))) + '×10' + superscript(Number(exponent));
}
// Digits that tell apart what a plot of this range tells apart.
function digits_for([low, high]) {
  const ratio = Math.max(Math.abs(low), Math.abs(high)) / (high - low);
  return Math.max(6, Math.min(15, 5 + Math.ceil(Math.log10(ratio))));
}
// "time (s)" is a quantity and its unit; a label without brackets has no unit.
function quantity(label) {
  const match = /^(.*?)\s*[([]([^)\]]+)[)\]]\s*$/.exec(label);
  return match ? { name: match[1], unit: '\u202f' + match[2] } : { name: label, unit: '' };
}

function steps(low, high, count) {
  const raw = (high - low) / Math.max(count, 1);
  const decade = 10 ** Math.floor(Math.log10(raw));
  const step = decade * [1, 2, 5, 10].find(s => s * decade >= raw * 0.999);
  const values = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + 1e-6 * step; ++i) values.push(i * step);
  return { step, values };
}
// Ticks at round values. What all labels share, an offset or a power of ten, goes to the axis title.
function linear_axis(low, high, count) {
  const { step, values } = steps(low, high, count);
  const far = Math.max(Math.abs(low), Math.abs(high)) > 2e4 * (high - low);
  const offset = far && values.length ? values[0] : 0;
  const size = Math.max(...values.map(v => Math.abs(v - offset)), step);
  const exponent = size >= 1e5 || size < 1e-2 ? 3 * Math.floor(Math.log10(size) / 3 + 1e-9) : 0;
  const unit = 10 ** exponent;
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9)));
  const ticks = values.map(v => ({
    at: v, label: minus(((v - offset) / unit).toFixed(decimals).replace(/^-(0\.?0*)$/, '$1')) }));
  let note = exponent ? '×10' + superscript(exponent) : '';
  if (offset) note += (note ? ' ' : '') + (offset < 0 ? '− ' : '+ ') + Number(Math.abs(offset).toPrecision(12));
  return { ticks, note };
}
// The same for log₁₀ of the values: decades, or round values when there is less than a decade or two.
function log_axis(low, high, count) {
  const every = Math.max(1, Math.ceil((high - low) / count));
  const ticks = [];
  for (let e = Math.floor(low); e <= high; ++e)
    for (const m of high - low < 2 ? [1, 2, 5] : [1]) {
      const at = e + Math.log10(m);
      if (at >= low - 1e-9 && at <= high + 1e-9 && e % every === 0)
        ticks.push({ at, label: (m > 1 ? m + '·' : '') + '10' + superscript(e) });
    }
  return { ticks, note: '' };
}

const redraws = new Map();
const resizes = new ResizeObserver(entries => {
  for (const entry of entries) redraws.get(entry.target)();
});
function draw_at_width(chart, draw) {
  let last = 0;
  redraws.set(chart, () => {
    const width = Math.round(chart.clientWidth);
    if (width > 0 && width !== last) draw(last = width);
  });
  redraws.get(chart)();
  resizes.observe(chart);
}

const movie = data.frames.t.length > 1
  ? { from: data.frames.t[0], to: data.frames.t[data.frames.t.length - 1], listeners: [] } : null;

const dashes = ['', '7 4', '2 4', '9 3 2 3'];
const stroke = i => `stroke: var(--s${i % 8}); stroke-dasharray: ${dashes[(i >> 3) % 4] || 'none'}`;
let clip_count = 0;

function make_plot(card, plot) {
  const series = plot.s.map((s, i) => ({ name: s.n, x: s.x || plot.x, y: s.y, index: i, shown: true }));
  const some = series.some(s => s.y.some((y, i) => finite(y) && finite(s.x[i])));
  if (!some) { html('p', { className: 'none', textContent: 'No data' }, card); return; }

  const head = card.querySelector('.head');
  const x_quantity = quantity(plot.xl), y_quantity = quantity(plot.yl);
  const ordered = series.every(s => s.x.every((x, i) => i === 0 || x >= s.x[i - 1]));
  const positive = series.flatMap(s => s.y).filter(y => y > 0).reduce(
    (r, y) => [Math.min(r[0], y), Math.max(r[1], y)], [Infinity, 0]);
  const may_log = positive[1] > 100 * positive[0] && !series.some(s => s.y.some(y => finite(y) && y < 0));

  let log = false, zoom = null, width = 0, view = null, drawn = null;
  const height = 290;

  const reset = html('button', { type: 'button', textContent: 'Reset zoom', hidden: true,
    onclick: () => { zoom = null; draw(); } }, head);
  if (may_log) {
    const mode = html('button', { type: 'button', textContent: 'log', className: 'mode',
      title: 'Logarithmic y axis' }, head);
    mode.setAttribute('aria-pressed', 'false');
    mode.onclick = () => {
      log = !log;
      zoom = zoom && { x: zoom.x, y: null };
      mode.setAttribute('aria-pressed', String(log));
      draw();
    };
  }
  if (series.length > 1 || (series[0].name && series[0].name !== y_quantity.name)) {
    const legend = html('div', { className: 'legend' }, card);
    for (const s of series) {
      const entry = html('button', { type: 'button', title: 'Show or hide' }, legend);
      entry.setAttribute('aria-pressed', 'true');
      svg('path', { d: 'M1,5H17', class: 'curve', style: stroke(s.index) + '; stroke-width: 2.5' },
        svg('svg', { viewBox: '0 0 18 10', 'aria-hidden': 'true' }, entry));
      entry.append(s.name || 'series ' + (s.index + 1));
      entry.onclick = () => {
        s.shown = !s.shown;
        entry.setAttribute('aria-pressed', String(s.shown));
        draw();
      };
    }
  }
  const chart = html('div', { className: 'chart' }, card);
  const tip = html('div', { className: 'tip', hidden: true }, chart);
  const clip = 'clip' + clip_count++;
  const level = y => (y === null ? NaN : log ? (y > 0 ? Math.log10(y) : NaN) : y);
  const place = x => (x === null ? NaN : x);

  function range_of(pick) {
    let low = Infinity, high = -Infinity;
    for (const s of series) if (s.shown) for (let i = 0; i < s.y.length; ++i) {
      const v = pick(s, i);
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return low <= high ? [low, high] : [0, 1];
  }
  function widened([low, high], share) {
    const span = high - low;
    // A constant curve, or one constant but for rounding, gets a band of its own size around it.
    if (span <= 1e-13 * Math.max(Math.abs(low), Math.abs(high)) || span === 0) {
      const band = Math.abs(low) * 0.1 || 1;
      return [low - band, high + band];
    }
    return [low - share * span, high + share * span];
  }
  function current_view() {
    const xs = zoom ? zoom.x : widened(range_of((s, i) => finite(level(s.y[i])) ? place(s.x[i]) : NaN), 0);
    const ys = zoom && zoom.y ? zoom.y : widened(range_of((s, i) => {
      const x = place(s.x[i]);
      return x >= xs[0] && x <= xs[1] ? level(s.y[i]) : NaN;
    }), 0.06);
    return { x: xs, y: ys };
  }

  function draw() {
    tip.hidden = true;
    reset.hidden = !zoom;
    view = current_view();
    const top = 26, bottom = 44, right = 14;
    const y_axis = (log ? log_axis : linear_axis)(view.y[0], view.y[1], Math.floor((height - top - bottom) / 34));
    const left = 14 + 7 * Math.max(2, ...y_axis.ticks.map(t => t.label.length));
    const x_axis = linear_axis(view.x[0], view.x[1], Math.max(2, Math.floor((width - left - right) / 85)));
    const box = { left, top, right: width - right, bottom: height - bottom };
    const to_x = x => box.left + (x - view.x[0]) / (view.x[1] - view.x[0]) * (box.right - box.left);
    const to_y = y => box.bottom - (y - view.y[0]) / (view.y[1] - view.y[0]) * (box.bottom - box.top);

    const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': card.dataset.title });
    const area = svg('clipPath', { id: clip }, svg('defs', {}, root));
    svg('rect', { x: box.left, y: box.top - 1, width: Math.max(0, box.right - box.left),
      height: box.bottom - box.top + 2 }, area);
    for (const t of y_axis.ticks) {
      const y = Math.round(to_y(t.at)) + 0.5;
      svg('path', { class: 'grid', d: `M${box.left},${y}H${box.right}` }, root);
      svg('text', { x: box.left - 7, y: y + 4, 'text-anchor': 'end' }, root).textContent = t.label;
    }
    for (const t of x_axis.ticks) {
      const x = Math.round(to_x(t.at)) + 0.5;
      svg('path', { class: 'grid', d: `M${x},${box.top}V${box.bottom}` }, root);
      svg('path', { class: 'axis', d: `M${x},${box.bottom}v4` }, root);
      svg('text', { x, y: box.bottom + 17, 'text-anchor': 'middle' }, root).textContent = t.label;
    }
    svg('path', { class: 'axis', d: `M${box.left + 0.5},${box.top}V${box.bottom + 0.5}H${box.right}` }, root);
    const titled = (label, axis) => [label, axis.note].filter(Boolean).join('  ');
    svg('text', { x: 2, y: 14 }, root).textContent = titled(plot.yl, y_axis);
    svg('text', { x: (box.left + box.right) / 2, y: height - 8, 'text-anchor': 'middle' }, root)
      .textContent = titled(plot.xl, x_axis);

    const curves = svg('g', { 'clip-path': `url(#${clip})` }, root);
    // Far outside the box a coordinate says no more than "outside", but could overflow the renderer.
    const held = v => Math.max(-1e5, Math.min(1e5, v)).toFixed(1);
    for (const s of series) {
      if (!s.shown) continue;
      let path = '', pen = false;
      for (let i = 0; i < s.y.length; ++i) {
        const x = place(s.x[i]), y = level(s.y[i]);
        if (!finite(x) || !finite(y)) { pen = false; continue; }
        path += (pen ? 'L' : 'M') + held(to_x(x)) + ',' + held(to_y(y)) + (pen ? '' : 'h0');
        pen = true;
      }
      if (path) svg('path', { class: 'curve', d: path, style: stroke(s.index) }, curves);
    }
    const now = svg('path', { class: 'now', d: '' }, curves);
    const marks = svg('g', {}, root);
    if (drawn) drawn.root.replaceWith(root); else chart.prepend(root);
    drawn = { root, box, to_x, to_y, marks, now };
    show_time();
    listen(root);
  }

  let time = null;
  function show_time() {
    if (time === null || !drawn) return;
    const x = drawn.to_x(time);
    drawn.now.setAttribute('d', time > movie.from ? `M${x.toFixed(1)},${drawn.box.top}V${drawn.box.bottom}` : '');
  }
  if (movie && ordered) {
    const [low, high] = range_of((s, i) => place(s.x[i]));
    const slack = 0.02 * (movie.to - movie.from);
    if (Math.abs(low - movie.from) < slack && Math.abs(high - movie.to) < slack)
      movie.listeners.push(t => { time = t; show_time(); });
  }

  function nearest_by_x(s, x) {
    let low = 0, high = s.x.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (s.x[middle] < x) low = middle + 1; else high = middle;
    }
    return low > 0 && x - s.x[low - 1] < s.x[low] - x ? low - 1 : low;
  }
  function nearest_by_distance(s, px, py) {
    let best = -1, least = Infinity;
    for (let i = 0; i < s.y.length; ++i) {
      const d = (drawn.to_x(place(s.x[i])) - px) ** 2 + (drawn.to_y(level(s.y[i])) - py) ** 2;
      if (d < least) { least = d; best = i; }
    }
    return { best, least };
  }
  function read_out(px, py) {
    const { box, marks } = drawn;
    marks.replaceChildren();
    tip.hidden = true;
    if (px < box.left || px > box.right || py < box.top - 8 || py > box.bottom + 8) return;
    const x = view.x[0] + (px - box.left) / (box.right - box.left) * (view.x[1] - view.x[0]);
    let rows = [];
    for (const s of series) {
      if (!s.shown || !s.y.length) continue;
      if (ordered) rows.push({ s, i: nearest_by_x(s, x), d: 0 });
      else {
        const { best, least } = nearest_by_distance(s, px, py);
        if (best >= 0 && least < 900) rows.push({ s, i: best, d: least });
      }
    }
    if (!ordered) rows = rows.sort((a, b) => a.d - b.d).slice(0, 1);
    if (!rows.length) return;
    const at = rows[0].s.x[rows[0].i];
    const hair = Math.round(drawn.to_x(at)) + 0.5;
    if (ordered && hair >= box.left && hair <= box.right)
      svg('path', { class: 'hair', d: `M${hair},${box.top}V${box.bottom}` }, marks);
    tip.replaceChildren();
    const x_text = number(at, digits_for(view.x)) + x_quantity.unit;
    html('div', { className: 'at', textContent: `${x_quantity.name || 'x'} ${x_text}` }, tip);
    const digits = log ? 6 : digits_for(view.y);
    for (const { s, i } of rows) {
      const row = html('div', { className: 'row' }, tip);
      html('i', {}, row).style.background = `var(--s${s.index % 8})`;
      html('span', { textContent: s.name || y_quantity.name }, row);
      html('b', { textContent: number(s.y[i], digits) + (finite(s.y[i]) ? y_quantity.unit : '') }, row);
      const cx = drawn.to_x(place(s.x[i])), cy = drawn.to_y(level(s.y[i]));
      if (cx >= box.left - 1 && cx <= box.right + 1 && cy >= box.top - 1 && cy <= box.bottom + 1)
        svg('circle', { class: 'dot', cx, cy, r: 4, style: `fill: var(--s${s.index % 8})` }, marks);
    }
    tip.hidden = false;
    const w = tip.offsetWidth, h = tip.offsetHeight;
    const x_tip = px + 16 + w > width ? Math.max(0, px - 16 - w) : px + 16;
    const y_tip = Math.max(0, Math.min(height - h, py - h / 2));
    tip.style.transform = `translate(${x_tip}px, ${y_tip}px)`;
  }

  let drag = null;
  function listen(root) {
    const where = event => {
      const r = root.getBoundingClientRect();
      return [(event.clientX - r.left) * width / r.width, (event.clientY - r.top) * height / r.height];
    };
    const inside = ([px, py]) => [Math.max(drawn.box.left, Math.min(drawn.box.right, px)),
      Math.max(drawn.box.top, Math.min(drawn.box.bottom, py))];
    // A flat drag zooms the x axis and lets y follow; a drag in both directions zooms both.
    const selection = end => {
      const { box } = drawn;
      const flat = Math.abs(end[1] - drag[1]) < 14;
      return { x0: Math.min(drag[0], end[0]), x1: Math.max(drag[0], end[0]), flat,
        y0: flat ? box.top : Math.min(drag[1], end[1]), y1: flat ? box.bottom : Math.max(drag[1], end[1]) };
    };
    root.onpointerdown = event => {
      const p = where(event);
      if (event.button !== 0 || p[0] < drawn.box.left - 2 || p[1] > drawn.box.bottom + 2) return;
      drag = inside(p);
      root.setPointerCapture(event.pointerId);
    };
    root.onpointermove = event => {
      if (!drag) { read_out(...where(event)); return; }
      const r = selection(inside(where(event)));
      tip.hidden = true;
      drawn.marks.replaceChildren();
      svg('rect', { class: 'select', x: r.x0, y: r.y0, width: r.x1 - r.x0, height: r.y1 - r.y0 }, drawn.marks);
    };
    root.onpointerup = event => {
      if (!drag) return;
      const r = selection(inside(where(event)));
      drag = null;
      drawn.marks.replaceChildren();
      if (r.x1 - r.x0 < 6) return;
      const { box } = drawn;
      const x_at = px => view.x[0] + (px - box.left) / (box.right - box.left) * (view.x[1] - view.x[0]);
      const y_at = py => view.y[0] + (box.bottom - py) / (box.bottom - box.top) * (view.y[1] - view.y[0]);
      const x = [x_at(r.x0), x_at(r.x1)], y = r.flat ? null : [y_at(r.y1), y_at(r.y0)];
      // Beyond this the axis could no longer tell neighbouring numbers apart.
      const fine = ([low, high]) => high - low > 1e-11 * Math.max(Math.abs(low), Math.abs(high));
      if (fine(x) && (!y || fine(y))) { zoom = { x, y }; draw(); }
    };
    root.onpointercancel = () => { drag = null; drawn.marks.replaceChildren(); };
    root.onpointerleave = () => { if (!drag) { tip.hidden = true; drawn.marks.replaceChildren(); } };
    root.ondblclick = () => { zoom = null; draw(); };
  }
  draw_at_width(chart, w => { width = w; draw(); });
}
)js";

inline constexpr std::string_view motion_script = R"js(
function make_motion(card) {
  const times = data.frames.t, frames = data.frames.f, traces = data.traces;
  const chart = html('div', { className: 'chart still' }, card);
  const range = { x: [Infinity, -Infinity], y: [Infinity, -Infinity] };
  const widen = (axis, v) => {
    if (!finite(v)) return;
    if (v < axis[0]) axis[0] = v;
    if (v > axis[1]) axis[1] = v;
  };
  for (const list of [...frames, ...traces.map(t => t.p)])
    list.forEach((v, i) => widen(i % 2 ? range.y : range.x, v));
  if (!(range.x[0] <= range.x[1] && range.y[0] <= range.y[1])) {
    html('p', { className: 'none', textContent: 'No data' }, chart);
    return;
  }
  const size = Math.max(range.x[1] - range.x[0], range.y[1] - range.y[0]) || 1;
  const center = { x: (range.x[0] + range.x[1]) / 2, y: (range.y[0] + range.y[1]) / 2 };
  const span = { x: Math.max(range.x[1] - range.x[0], 0.25 * size) * 1.12,
    y: Math.max(range.y[1] - range.y[0], 0.25 * size) * 1.12 };

  const links = frames.length ? Math.max(...frames.map(f => f.length)) / 4 : 0;
  const moves = i => frames.some(f => [0, 1, 2, 3].some(
    k => Math.abs(f[4 * i + k] - frames[0][4 * i + k]) > 1e-4 * size));
  const fixed = Array.from({ length: links }, (_, i) => frames.length > 1 && !moves(i));
  const kind = i => (data.frames.k || '')[i] || 'l';
  // A zigzag of constant width between two points.
  function coil(x1, y1, x2, y2) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1, u = (x2 - x1) / length, v = (y2 - y1) / length;
    let path = `M${x1.toFixed(1)},${y1.toFixed(1)}`;
    for (let k = 1; k < 15; ++k) {
      const side = k < 2 || k > 13 ? 0 : k % 2 ? 6 : -6, part = k / 15;
      path += `L${(x1 + part * (x2 - x1) - side * v).toFixed(1)},${(y1 + part * (y2 - y1) + side * u).toFixed(1)}`;
    }
    return path + `L${x2.toFixed(1)},${y2.toFixed(1)}`;
  }
  let shapes = null, time = times.length ? times[0] : 0;

  if (traces.length) {
    const legend = html('div', { className: 'legend' });
    chart.before(legend);
    traces.forEach((trace, i) => {
      const entry = html('button', { type: 'button', disabled: true, style: 'cursor: default' }, legend);
      svg('path', { d: 'M1,5H17', class: 'curve', style: stroke(i) + '; stroke-width: 2.5' },
        svg('svg', { viewBox: '0 0 18 10', 'aria-hidden': 'true' }, entry));
      entry.append(trace.n);
    });
  }

  draw_at_width(chart, width => {
    const left = 44, right = 10, top = 8, bottom = 26;
    const wanted = (width - left - right) * span.y / span.x + top + bottom;
    const height = Math.round(Math.max(240, Math.min(440, wanted)));
    const scale = Math.min((width - left - right) / span.x, (height - top - bottom) / span.y);
    const middle = { x: (left + width - right) / 2, y: (top + height - bottom) / 2 };
    const to_x = x => middle.x + (x - center.x) * scale;
    const to_y = y => middle.y - (y - center.y) * scale;

    const root = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Motion' });
    const half = { x: (width - left - right) / 2 / scale, y: (height - top - bottom) / 2 / scale };
    const count = Math.max(2, Math.round((width - left - right) / 90));
    const x_axis = linear_axis(center.x - half.x, center.x + half.x, count);
    const y_axis = linear_axis(center.y - half.y, center.y + half.y, count * half.y / half.x);
    for (const t of x_axis.ticks) {
      const x = Math.round(to_x(t.at)) + 0.5;
      svg('path', { class: 'grid', d: `M${x},${top}V${height - bottom}` }, root);
      svg('text', { x, y: height - 8, 'text-anchor': 'middle' }, root).textContent = t.label;
    }
    svg('text', { x: 4, y: height - 8 }, root).textContent = 'm';
    for (const t of y_axis.ticks) {
      const y = Math.round(to_y(t.at)) + 0.5;
      svg('path', { class: 'grid', d: `M${left},${y}H${width - right}` }, root);
      svg('text', { x: left - 6, y: y + 4, 'text-anchor': 'end' }, root).textContent = t.label;
    }
    // Without a trace, a few other poses make the still, printed picture show motion too.
    const ghosts = traces.length || links > 400 ? 0 : Math.min(links > 40 ? 5 : 12, frames.length);
    for (let k = 1; k < ghosts; ++k) {
      const f = frames[Math.round(k * (frames.length - 1) / (ghosts - 1))];
      let path = '';
      for (let i = 0; i < f.length / 4; ++i) {
        const [a, b, c, d] = f.slice(4 * i, 4 * i + 4);
        if (fixed[i] || kind(i) === 's' || ![a, b, c, d].every(finite)) continue;
        path += `M${to_x(a).toFixed(1)},${to_y(b).toFixed(1)}L${to_x(c).toFixed(1)},${to_y(d).toFixed(1)}`;
      }
      if (path) svg('path', { class: 'ghost', d: path }, root);
    }
    traces.forEach((trace, i) => {
      let path = '', pen = false;
      for (let k = 0; k < trace.p.length; k += 2) {
        const x = trace.p[k], y = trace.p[k + 1];
        if (!finite(x) || !finite(y)) { pen = false; continue; }
        path += `${pen ? 'L' : 'M'}${to_x(x).toFixed(1)},${to_y(y).toFixed(1)}`;
        pen = true;
      }
      if (path) svg('path', { class: 'curve', d: path, style: stroke(i) }, root);
    });
    let bar_count = 0;
    for (let i = 0; i < links; ++i) bar_count += kind(i) === 'l';
    const crowd = bar_count > 24 ? 0.6 : 1;
    const lines = [], pins = [];
    const edges = svg('g', {}, root), bars = svg('g', {}, root), joints = svg('g', {}, root);
    for (let i = 0; i < links; ++i) {
      pins.push([]);
      if (kind(i) === 's') lines.push(svg('path', { class: 'spring' }, bars));
      else if (kind(i) === 'e') lines.push(svg('line', { class: fixed[i] ? 'edge still' : 'edge' }, edges));
      else {
        lines.push(svg('line', { class: fixed[i] ? 'fixed' : 'link' }, bars));
        if (!fixed[i]) lines[i].style.strokeWidth = 5 * crowd;
        for (let k = 0; k < 2; ++k) pins[i].push(svg('circle', { class: 'pin', r: 4 * crowd }, joints));
      }
    }
    const old = chart.querySelector('svg');
    if (old) old.replaceWith(root); else chart.prepend(root);
    shapes = { lines, pins, to_x, to_y };
    show(time);
  });

  function show(t) {
    time = t;
    if (!shapes || !frames.length) return;
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle; else high = middle - 1;
    }
    const next = Math.min(low + 1, times.length - 1);
    const a = frames[low], b = frames[next].length === a.length ? frames[next] : a;
    const share = next > low ? Math.max(0, Math.min(1, (t - times[low]) / (times[next] - times[low]))) : 0;
    const at = k => a[k] === null || b[k] === null ? NaN : a[k] + (b[k] - a[k]) * share;
    shapes.lines.forEach((line, i) => {
      const x1 = shapes.to_x(at(4 * i)), y1 = shapes.to_y(at(4 * i + 1));
      const x2 = shapes.to_x(at(4 * i + 2)), y2 = shapes.to_y(at(4 * i + 3));
      const visible = [x1, y1, x2, y2].every(finite);
      for (const shape of [line, ...shapes.pins[i]]) shape.style.display = visible ? '' : 'none';
      if (!visible) return;
      if (kind(i) === 's') { line.setAttribute('d', coil(x1, y1, x2, y2)); return; }
      line.setAttribute('x1', x1); line.setAttribute('y1', y1);
      line.setAttribute('x2', x2); line.setAttribute('y2', y2);
      shapes.pins[i].forEach((pin, k) => {
        pin.setAttribute('cx', k ? x2 : x1); pin.setAttribute('cy', k ? y2 : y1);
      });
    });
  }
  if (!movie || !(movie.to > movie.from)) return;

  const duration = movie.to - movie.from;
  const speeds = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];
  let speed = duration >= 3 && duration <= 25 ? 1
    : speeds.find(s => duration / s <= 12) || speeds[speeds.length - 1];
  const controls = html('div', { className: 'controls' }, card);
  const button = html('button', { type: 'button', textContent: '▶ Play' }, controls);
  const slider = html('input', { type: 'range', min: 0, max: 1000, step: 'any', value: 0 }, controls);
  slider.setAttribute('aria-label', 'Time');
  const output = html('output', {}, controls);
  const choice = html('select', { title: 'Speed relative to real time' }, controls);
  choice.setAttribute('aria-label', 'Speed');
  for (const s of speeds) html('option', { value: s, textContent: s + '×', selected: s === speed }, choice);
  choice.onchange = () => { speed = Number(choice.value); };

  const decimals = Math.max(1, Math.min(6, 3 - Math.floor(Math.log10(duration))));
  function go_to(t) {
    show(t);
    slider.value = 1000 * (t - movie.from) / duration;
    output.textContent = minus(t.toFixed(decimals)) + '\u202fs';
    for (const listener of movie.listeners) listener(t);
  }
  let playing = false, before = 0;
  function tick(clock) {
    if (!playing) return;
    let t = time + speed * Math.min(0.1, (clock - before) / 1000);
    before = clock;
    if (t > movie.to) t = movie.from;
    go_to(t);
    requestAnimationFrame(tick);
  }
  function play(on) {
    playing = on;
    button.textContent = on ? '❚❚ Pause' : '▶ Play';
    if (on) requestAnimationFrame(clock => { before = clock; tick(clock); });
  }
  button.onclick = () => play(!playing);
  slider.oninput = () => { play(false); go_to(movie.from + slider.value / 1000 * duration); };
  go_to(movie.from);
}

document.querySelectorAll('.plot').forEach((card, i) => make_plot(card, data.plots[i]));
const motion = document.getElementById('motion');
if (motion) make_motion(motion);
)js";

inline constexpr std::string_view table_script = R"js(
for (const table of document.querySelectorAll('.sorted')) {
  const heads = [...table.querySelectorAll('thead th')], body = table.tBodies[0];
  const value = (row, i) => row.cells[i].dataset.n === undefined ? NaN : Number(row.cells[i].dataset.n);
  // What is no number comes last, whichever way the numbers go; rows that are equal stay in their order.
  const compare = (i, sign) => (a, b) => {
    const x = value(a, i), y = value(b, i);
    if (finite(x) && finite(y)) return sign * (x - y);
    if (finite(x) !== finite(y)) return finite(x) ? -1 : 1;
    return sign * a.cells[i].textContent.localeCompare(b.cells[i].textContent);
  };
  heads.forEach((head, i) => {
    head.querySelector('button').onclick = () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      body.append(...[...body.rows].sort(compare(i, up ? 1 : -1)));
    };
  });
}
)js";

}  // namespace bristle::report
