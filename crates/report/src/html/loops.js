// Loops between conditions and unknowns: what was decided, and the graph of who needs whom.

const LOOP_WORDS = {
  'state-changing': 'decides over states: rejected',
  unique: 'exactly one valuation fits',
  hysteresis: 'the mode before decides',
  several: 'which mode follows is not determined',
  none: 'for some values there is no solution: rejected',
  undecided: 'not decided',
};

function loopsSection() {
  const body = byId('loops-body');
  if (data.loops.length === 0) {
    body.append(el('p', { class: 'muted' }, 'All conditions can be computed one after the other.'));
    return;
  }
  body.append(el('p', {}, 'Conditions (left) and unknowns (right) that can only be found together. An arrow to the right: the condition reads the unknown. A broken arrow to the left: the equation for the unknown depends on the condition. The shortest cycle is drawn thick.'));
  paged(data.loops, 8, loopView, body);
}

function loopView(item) {
  const kind = { 'state-changing': 'singular', none: 'singular', several: 'transient', undecided: 'transient' }[item.status] || 'regular';
  return el(
    'div',
    { class: 'card' },
    el('h3', {}, el('span', { class: `kind ${kind}` }, item.status.replace(/-/g, ' ')), ' ', LOOP_WORDS[item.status] || ''),
    item.witness ? el('p', {}, code(item.witness)) : '',
    el('p', { class: 'muted' }, `${item.status === 'undecided' ? 'Tried' : 'Decided by'}: `, code(item.procedure), `.${item.more ? ` ${item.more === 1 ? 'One more is' : `${item.more} more conditions and unknowns are`} not drawn.` : ''}`),
    el('div', { class: 'graph-frame', tabindex: '0', role: 'group', 'aria-label': 'Conditions and unknowns of a loop' }, loopPicture(item)),
  );
}

function loopPicture(item) {
  const row = 34;
  const longest = (names) => 8 * Math.min(34, Math.max(0, ...names.map((name) => name.length)));
  const left = 12 + longest(item.conditions);
  const right = left + 130;
  const width = right + longest(item.unknowns) + 110;
  const rows = Math.max(item.conditions.length, item.unknowns.length);
  const height = 16 + row * rows;
  const svg = (name, attributes, ...children) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const n = item.conditions.length;
  const y = (i) => 24 + row * i;
  // Edges of the cycle, as pairs of numbers: conditions first, unknowns behind them.
  const onCycle = new Set(item.cycle.map((node, i) => `${node} ${item.cycle[(i + 1) % item.cycle.length]}`));
  const edge = (from, to, d, broken, title) => {
    const marked = onCycle.has(`${from} ${to}`);
    const path = svg('path', { d, class: `loop-edge${marked ? ' on-cycle' : ''}`, 'marker-end': marked ? 'url(#loop-head-cycle)' : 'url(#loop-head)', ...(broken ? { 'stroke-dasharray': '5 4' } : {}) });
    path.append(svg('title', {}, title));
    return path;
  };
  const across = (x1, y1, x2, y2) => `M ${x1} ${y1} C ${(x1 + x2) / 2} ${y1}, ${(x1 + x2) / 2} ${y2}, ${x2} ${y2}`;
  const aside = (a, b) => {
    const bulge = right + 50 + Math.min(50, 8 * Math.abs(a - b)) + longest(item.unknowns);
    return `M ${right + 8 + 8 * Math.min(item.unknowns[a].length, 34)} ${y(a)} C ${bulge} ${y(a)}, ${bulge} ${y(b)}, ${right + 12 + 8 * Math.min(item.unknowns[b].length, 34)} ${y(b)}`;
  };
  const head = (id, kind) => svg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M 0 0 L 8 4 L 0 8 z', class: `loop-head ${kind}` }));
  const name = (i, text, attributes) => svg('text', { class: `loop-node${item.cycle.includes(i) ? ' on-cycle' : ''}`, ...attributes }, svg('title', {}, text), cut(text, 34));
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `${item.conditions.join(', ')} and ${item.unknowns.join(', ')}` });
  const lines = [
    ...item.reads.map(([c, u]) => edge(c, n + u, across(left + 6, y(c) - 4, right - 8, y(u) - 4), false, `${item.conditions[c]} reads ${item.unknowns[u]}`)),
    ...item.decides.map(([u, c]) => edge(n + u, c, across(right - 6, y(u) + 4, left + 8, y(c) + 4), true, `an equation for ${item.unknowns[u]} depends on ${item.conditions[c]}`)),
    ...item.needs.filter(([a, b]) => onCycle.has(`${n + a} ${n + b}`)).map(([a, b]) => edge(n + a, n + b, aside(a, b), false, `the equation for ${item.unknowns[a]} reads ${item.unknowns[b]}`)),
  ];
  // What is on the cycle lies on top.
  lines.sort((a, b) => a.classList.contains('on-cycle') - b.classList.contains('on-cycle'));
  picture.append(
    svg('defs', {}, head('loop-head', ''), head('loop-head-cycle', 'on-cycle')),
    ...lines,
    ...item.conditions.map((text, i) => name(i, text, { x: left, y: y(i) + 4, 'text-anchor': 'end' })),
    ...item.unknowns.map((text, i) => name(n + i, text, { x: right, y: y(i) + 4 })),
  );
  return picture;
}
