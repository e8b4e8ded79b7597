// Loops between conditions and unknowns: what was decided, and the graph of who needs whom.

const LOOP_WORDS = {
  'state-changing': 'decides over states: rejected',
  unique: 'exactly one valuation fits',
  hysteresis: 'the mode before decides',
  several: 'which mode follows is not determined',
  none: 'for some values nothing fits: rejected',
  undecided: 'not decided',
};

function loopsSection() {
  const body = byId('loops-body');
  if (data.loops.length === 0) {
    body.append(el('p', { class: 'muted' }, 'All conditions can be computed one after the other.'));
    return;
  }
  body.append(el('p', {}, 'Conditions (left) and unknowns (right) that can only be found together. A line to the right: the condition reads the unknown. A line to the left, broken: an equation for the unknown depends on the condition.'));
  paged(data.loops, 8, loopView, body);
}

function loopView(item) {
  const bad = item.status === 'state-changing' || item.status === 'none';
  return el(
    'div',
    { class: 'card' },
    el('h3', {}, el('span', { class: `kind ${bad ? 'singular' : 'regular'}` }, item.status.replace(/-/g, ' ')), ' ', LOOP_WORDS[item.status] || ''),
    item.witness ? el('p', {}, code(item.witness)) : '',
    el('p', { class: 'muted' }, `${item.status === 'undecided' ? 'Tried' : 'Decided by'}: ${item.procedure}.${item.more ? ` ${item.more} more conditions and unknowns are not drawn.` : ''}`),
    el('div', { class: 'graph-frame', tabindex: '0', role: 'group', 'aria-label': 'Conditions and unknowns of a loop' }, loopPicture(item)),
  );
}

function loopPicture(item) {
  const row = 30;
  const width = 640;
  const rows = Math.max(item.conditions.length, item.unknowns.length);
  const svg = (name, attributes, ...children) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const y = (i) => 20 + row * i;
  const line = (c, u, shift, dash, title) => {
    const path = svg('path', { d: `M 250 ${y(c) + shift} C 320 ${y(c) + shift}, 320 ${y(u) + shift}, 390 ${y(u) + shift}`, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.4, ...(dash ? { 'stroke-dasharray': '5 4' } : {}) });
    path.append(svg('title', {}, title));
    return path;
  };
  const picture = svg('svg', { viewBox: `0 0 ${width} ${20 + row * rows}`, width, height: 20 + row * rows, role: 'img', 'aria-label': `${item.conditions.join(', ')} and ${item.unknowns.join(', ')}` });
  picture.append(
    ...item.reads.map(([c, u]) => line(c, u, -4, false, `${item.conditions[c]} reads ${item.unknowns[u]}`)),
    ...item.decides.map(([u, c]) => line(c, u, 4, true, `an equation for ${item.unknowns[u]} depends on ${item.conditions[c]}`)),
    ...item.conditions.map((name, i) => svg('text', { x: 240, y: y(i) + 4, 'text-anchor': 'end', fill: 'currentColor' }, cut(name, 34))),
    ...item.unknowns.map((name, i) => svg('text', { x: 400, y: y(i) + 4, fill: 'currentColor' }, cut(name, 34))),
  );
  return picture;
}
