// Trajectories: one picture for each unit, one axis of time for all of them.

const PLOT = { width: 960, height: 260, left: 76, right: 34, top: 12, bottom: 36 };
const SERIES = 8;

/** Draws a run into a node: pictures, legend, modes and events. `changeOf` gives what an event links to, if anything. */
function drawRun(root, run, changeOf = () => '') {
  const whole = [run.start, run.stop];
  const hidden = new Set();
  let range = whole;
  const units = [...new Set(run.signals.map((signal) => signal.unit))];
  const number = new Map(run.signals.map((signal, i) => [signal, i % SERIES]));
  const modeNames = [...new Set(run.modes.map((mode) => mode.name))];
  const panels = units.map((unit) => panel(unit));
  const status = el('p', { class: 'muted', 'aria-live': 'polite' });

  function panel(unit) {
    const signals = run.signals.filter((signal) => signal.unit === unit);
    const picture = svg('svg', { class: 'plot', viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: 'img', 'aria-label': `${signals.map((s) => s.name).join(', ')} over time` });
    const frame = el('div', { class: 'plot-frame', tabindex: '0', role: 'group', 'aria-label': `Picture of ${signals.map((s) => s.name).join(', ')}; plus and minus zoom, arrow keys move, 0 shows everything` }, picture);
    const entries = signals.map((signal) => {
      const value = el('output', {});
      const box = el('input', { type: 'checkbox', checked: true });
      box.addEventListener('change', () => {
        if (box.checked) hidden.delete(signal);
        else hidden.add(signal);
        draw();
      });
      return { signal, value, node: el('label', { class: `series s${number.get(signal)}`, title: signal.comment || null }, box, el('i', {}), el('code', {}, signal.name), value) };
    });
    const legend = el('div', { class: 'plot-legend' }, entries.map((entry) => entry.node), unit ? el('span', { class: 'muted' }, `in ${unit}`) : '');
    return { unit, signals, picture, frame, entries, node: el('div', { class: 'plot-panel' }, legend, frame) };
  }

  const inner = PLOT.width - PLOT.left - PLOT.right;
  const toX = (t) => PLOT.left + (inner * (t - range[0])) / (range[1] - range[0]);
  const toTime = (x) => range[0] + ((range[1] - range[0]) * (x - PLOT.left)) / inner;

  function draw() {
    for (const item of panels) drawPanel(item);
    const all = range[0] === whole[0] && range[1] === whole[1];
    status.textContent = `Time ${short(range[0])} s to ${short(range[1])} s${all ? '' : `, of ${short(whole[0])} s to ${short(whole[1])} s`}.`;
  }

  function drawPanel({ signals, picture, unit }) {
    const shown = signals.filter((signal) => !hidden.has(signal));
    const [low, high] = extent(shown, range);
    const bottom = PLOT.height - PLOT.bottom;
    const toY = (v) => bottom - ((bottom - PLOT.top) * (v - low)) / (high - low);
    const inView = (from, to) => from < range[1] && to > range[0];
    const clamp = (x) => Math.max(PLOT.left, Math.min(PLOT.width - PLOT.right, x));
    const clip = `clip-${panels.findIndex((p) => p.picture === picture)}`;
    picture.replaceChildren(
      svg('clipPath', { id: clip }, svg('rect', { x: PLOT.left, y: PLOT.top, width: inner, height: bottom - PLOT.top })),
      ...run.modes.filter((mode) => inView(mode.from, mode.to)).map((mode) => {
        const [x1, x2] = [clamp(toX(mode.from)), clamp(toX(mode.to))];
        return svg('rect', { class: `band b${modeNames.indexOf(mode.name) % SERIES}`, x: x1, y: PLOT.top, width: Math.max(0.5, x2 - x1), height: bottom - PLOT.top }, svg('title', {}, `mode: ${mode.name}`));
      }),
      ...ticks(low, high, 5).map((v) => svg('g', { class: 'tick' }, svg('path', { d: `M${PLOT.left} ${toY(v).toFixed(1)}H${PLOT.width - PLOT.right}` }), svg('text', { x: PLOT.left - 7, y: toY(v) + 4, 'text-anchor': 'end' }, short(v)))),
      ...ticks(range[0], range[1], 8).map((t) => svg('g', { class: 'tick' }, svg('path', { d: `M${toX(t).toFixed(1)} ${PLOT.top}V${bottom}` }), svg('text', { x: toX(t), y: bottom + 15, 'text-anchor': 'middle' }, short(t)))),
      svg('text', { class: 'axis', x: PLOT.left + inner / 2, y: PLOT.height - 3, 'text-anchor': 'middle' }, 'time in s'),
      unit ? svg('text', { class: 'axis', x: 4, y: PLOT.top + 8 }, unit) : '',
      ...run.events.filter((event) => event.time >= range[0] && event.time <= range[1]).map((event) => svg('path', { class: 'event-line', d: `M${toX(event.time).toFixed(1)} ${PLOT.top}V${bottom}` }, svg('title', {}, `${short(event.time)} s: ${event.text}`))),
      svg('g', { 'clip-path': `url(#${clip})` }, shown.map((signal) => svg('path', { class: `signal s${number.get(signal)}`, d: line(signal, toX, toY, range) }, svg('title', {}, signal.name)))),
      svg('path', { class: 'cursor', d: '' }),
      svg('rect', { class: 'chosen-range', y: PLOT.top, height: bottom - PLOT.top, width: 0, x: 0 }),
    );
  }

  /** The values at a time, beside the names. */
  function readAt(time) {
    for (const { entries, picture } of panels) {
      for (const { signal, value } of entries) value.textContent = time === null ? '' : ` = ${short(valueAt(signal, time))}`;
      const cursor = picture.querySelector('.cursor');
      if (cursor) cursor.setAttribute('d', time === null ? '' : `M${toX(time).toFixed(1)} ${PLOT.top}V${PLOT.height - PLOT.bottom}`);
    }
    if (time !== null) status.textContent = `At ${short(time)} s${modeAt(time)}.`;
  }

  function modeAt(time) {
    const mode = run.modes.find((it) => it.from <= time && time <= it.to);
    return mode ? `, mode: ${mode.name}` : '';
  }

  function zoom(to) {
    const smallest = (whole[1] - whole[0]) * 1e-9;
    const width = Math.min(whole[1] - whole[0], Math.max(smallest, to[1] - to[0]));
    const from = Math.max(whole[0], Math.min(whole[1] - width, to[0]));
    range = width === whole[1] - whole[0] ? whole : [from, from + width];
    draw();
  }
  const scaled = (factor, at = (range[0] + range[1]) / 2) => zoom([at - (at - range[0]) * factor, at + (range[1] - at) * factor]);
  const moved = (part) => zoom(range.map((t) => t + part * (range[1] - range[0])));

  for (const { frame, picture } of panels) {
    const timeOf = (event) => {
      const box = picture.getBoundingClientRect();
      return Math.max(range[0], Math.min(range[1], toTime(((event.clientX - box.left) * PLOT.width) / box.width)));
    };
    let from = null;
    picture.addEventListener('pointerdown', (event) => {
      from = timeOf(event);
      picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener('pointermove', (event) => {
      const time = timeOf(event);
      readAt(time);
      if (from === null) return;
      const [x1, x2] = [toX(Math.min(from, time)), toX(Math.max(from, time))];
      for (const panel of panels) {
        const mark = panel.picture.querySelector('.chosen-range');
        mark.setAttribute('x', x1);
        mark.setAttribute('width', x2 - x1);
      }
    });
    picture.addEventListener('pointerup', (event) => {
      const to = timeOf(event);
      const start = from;
      from = null;
      if (start !== null && Math.abs(toX(to) - toX(start)) > 4) zoom([Math.min(start, to), Math.max(start, to)]);
      else draw();
    });
    picture.addEventListener('pointerleave', () => from === null && (readAt(null), draw()));
    picture.addEventListener('dblclick', () => zoom(whole));
    picture.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      scaled(event.deltaY + event.deltaX > 0 ? 1.25 : 0.8, timeOf(event));
    }, { passive: false });
    frame.addEventListener('keydown', (event) => {
      const action = { '+': () => scaled(0.5), '=': () => scaled(0.5), '-': () => scaled(2), 0: () => zoom(whole), ArrowLeft: () => moved(-0.2), ArrowRight: () => moved(0.2) }[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  const button = (text, action) => press(el('button', { type: 'button', class: 'quiet' }, text), action);
  root.append(
    el('div', { class: 'plot-bar' }, button('Zoom in', () => scaled(0.5)), button('Zoom out', () => scaled(2)), button('Show all', () => zoom(whole)), el('span', { class: 'muted' }, 'Drag over a stretch of time to enlarge it, or turn the wheel with Shift.')),
    status,
    ...panels.map((item) => item.node),
    modeNames.length ? el('div', { class: 'plot-modes' }, el('span', { class: 'muted' }, 'Modes: '), modeNames.slice(0, 24).map((name, i) => el('span', { class: `mode b${i % SERIES}` }, el('i', {}), el('code', {}, name))), modeNames.length > 24 ? el('span', { class: 'muted' }, `and ${modeNames.length - 24} more`) : '') : '',
    run.events.length ? el('details', { class: 'fold' }, el('summary', {}, plural(run.events.length, 'event')), paged(run.events, 40, (event) => el('div', { class: 'event-row' }, el('button', { type: 'button', class: 'quiet small', onclick: () => zoom([event.time - (whole[1] - whole[0]) / 100, event.time + (whole[1] - whole[0]) / 100]) }, `${short(event.time)} s`), ' ', event.text, changeOf(event)), el('div', {}))) : '',
  );
  draw();
}

/** The least and greatest value in a range of time, with a little room. */
function extent(signals, [from, to]) {
  let [low, high] = [Infinity, -Infinity];
  for (const { times, values } of signals) {
    for (let i = 0; i < times.length; i += 1) {
      if (values[i] === null || times[i] < from || times[i] > to) continue;
      low = Math.min(low, values[i]);
      high = Math.max(high, values[i]);
    }
  }
  if (low > high) return [0, 1];
  const room = (high - low) * 0.05 || Math.abs(low) * 0.05 || 0.5;
  return [low - room, high + room];
}

/** The path of a signal; where it has no value it is broken. */
function line({ times, values }, toX, toY, [from, to]) {
  let path = '';
  let pen = 'M';
  for (let i = 0; i < times.length; i += 1) {
    // One point beyond each end, so that lines run to the border.
    if ((times[i] < from && times[i + 1] < from) || (times[i] > to && times[i - 1] > to)) continue;
    if (values[i] === null) {
      pen = 'M';
      continue;
    }
    path += `${pen}${toX(times[i]).toFixed(2)} ${toY(values[i]).toFixed(2)}`;
    pen = 'L';
  }
  return path;
}

/** The value at a time, between points in a straight line. */
function valueAt({ times, values }, time) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  const [a, b] = [values[low], values[high]];
  if (a === null || b === null || times[high] === times[low]) return a ?? NaN;
  return a + ((b - a) * (time - times[low])) / (times[high] - times[low]);
}

/** About `wanted` round numbers in a range. */
function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((it) => it >= rough) || rough;
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && list.length < 30; k += 1) list.push(k * step);
  return list;
}

/** A number with the digits that can be told apart. */
function short(value) {
  if (value === null || Number.isNaN(value)) return 'no value';
  return String(Number(value.toPrecision(6)));
}
