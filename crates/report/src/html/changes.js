// Mode changes: the graph of modes, classes of changes, and what happens in each.

const EFFECTS = [
  ['continuous', 'continuous'],
  ['jump', 'jump'],
  ['impulsive', 'impulsive'],
  ['undetermined', 'undetermined'],
  ['rejected', 'rejected'],
];
const MAX_GRAPH = 16;
const changes = data.changes;
const outgoing = new Map();
const firstFrom = new Map();
for (let i = 0; i < changes.pairs.length; i += 3) {
  const [cls, from, to] = changes.pairs.slice(i, i + 3);
  if (!firstFrom.has(cls)) firstFrom.set(cls, from);
  if (!outgoing.has(from)) outgoing.set(from, []);
  outgoing.get(from).push([cls, to]);
}

function changesSection() {
  const body = byId('changes-body');
  if (changes.classes.length === 0) {
    body.append(el('p', { class: 'muted' }, 'The model has no mode changes.'));
    return;
  }
  const visible = new Set(EFFECTS.map(([effect]) => effect));
  const counts = new Map();
  for (const item of changes.classes) counts.set(item.effect, (counts.get(item.effect) || 0) + item.count);
  const graph = el('div', { class: 'graph-frame modes-graph' });
  const detail = el('div', { id: 'change-detail', class: 'panel', tabindex: '-1', 'aria-live': 'polite' });
  const list = el('div', { class: 'change-list', role: 'list' });
  const search = el('input', { id: 'change-search', type: 'search', placeholder: 'condition or variable', autocomplete: 'off' });
  const chips = EFFECTS.filter(([effect]) => counts.get(effect)).map(([effect, title]) => {
    const chip = el('button', { type: 'button', class: `effect-chip ${effect}`, 'aria-pressed': 'true' }, el('i', { class: 'dot' }), `${title} `, el('b', {}, counts.get(effect).toLocaleString('en')));
    chip.addEventListener('click', () => {
      if (visible.has(effect)) visible.delete(effect);
      else visible.add(effect);
      chip.setAttribute('aria-pressed', String(visible.has(effect)));
      renderList();
      renderGraph();
    });
    return chip;
  });
  let chosen = -1;
  const choose = (index, focus) => {
    chosen = index;
    detail.replaceChildren(...changeDetail(changes.classes[index]));
    for (const node of list.querySelectorAll('[data-class]')) node.toggleAttribute('aria-current', Number(node.dataset.class) === index);
    for (const node of graph.querySelectorAll('.edge')) node.classList.toggle('chosen', Number(node.dataset.class) === index);
    if (focus) {
      detail.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
      detail.focus({ preventScroll: true });
    }
  };
  const renderList = () => {
    const wanted = search.value.trim().toLowerCase();
    const matching = changes.classes
      .map((item, i) => [item, i])
      .filter(([item]) => visible.has(item.effect))
      .filter(([item]) => !wanted || [item.event, ...item.jumps, ...item.impulsive.map(([name]) => name), ...item.undetermined].some((text) => text.toLowerCase().includes(wanted)));
    list.replaceChildren();
    if (matching.length === 0) list.append(el('p', { class: 'muted' }, 'No change is like this.'));
    paged(
      matching,
      40,
      ([item, i]) =>
        press(
          el(
            'div',
            { class: 'change-item', role: 'listitem button', tabindex: '0', 'data-class': i, 'aria-current': i === chosen ? '' : null },
            el('i', { class: `dot ${item.effect}`, title: item.effect }),
            el('span', { class: 'event' }, item.event.replace(/`/g, '')),
            el('span', { class: 'muted n' }, item.count > 1 ? `${item.count.toLocaleString('en')}×` : ''),
            el('span', { class: 'muted what' }, effectText(item), whereText(item, i)),
          ),
          () => choose(i, true),
        ),
      list,
    );
  };
  const renderGraph = () => graph.replaceChildren(...modeGraph(visible, choose));
  search.addEventListener('input', renderList);
  roving(list, '.change-item');
  body.append(
    el('p', {}, `${plural(data.summary.changes, 'change')} in ${plural(changes.classes.length, 'class', 'classes')} with equal results.`, data.summary.truncated ? el('span', { class: 'notice inline' }, ' There are more modes than can be listed: only changes out of the first mode were analysed.') : ''),
    el('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of changes' }, chips),
    graph,
    el('div', { class: 'split' }, el('div', {}, el('div', { class: 'bar' }, el('label', { for: 'change-search' }, 'Find'), search), list), detail),
  );
  if (changes.initialisation) {
    body.append(el('details', { class: 'fold' }, el('summary', {}, 'The start of the model'), el('div', { class: 'panel' }, ...changeDetail(changes.initialisation))));
  }
  renderList();
  renderGraph();
  const worst = ['rejected', 'undetermined', 'impulsive', 'jump', 'continuous'];
  const first = worst.map((effect) => changes.classes.findIndex((item) => item.effect === effect)).find((i) => i >= 0);
  choose(first, false);
}

function effectText(item) {
  if (item.verdict !== 'determined') return item.verdict.replace(/-/g, ' ');
  if (item.impulsive.length) return `impulses in ${some(item.impulsive.map(([name]) => name))}`;
  if (item.jumps.length) return `${some(item.jumps)} ${item.jumps.length === 1 ? 'jumps' : 'jump'}`;
  return 'nothing jumps';
}

/** Which mode the first change of a class leaves, if others have the same name. */
function whereText(item, i) {
  const alike = changes.classes.length <= 400 && changes.classes.filter((other) => other.event === item.event).length > 1;
  return alike && firstFrom.has(i) ? `, in mode ${modeName(changes.modes[firstFrom.get(i)])}` : '';
}

const some = (names) => (names.length > 3 ? `${names.slice(0, 3).join(', ')}, …` : names.join(', '));

/** What a mode is called in the graph. */
function modeName(bits) {
  const on = data.conditions.filter((condition, i) => bits[i] === '1' && !condition.auxiliary).map((c) => c.name);
  return on.length ? on.join(', ') : '∅';
}

let centreMode = 0;

function modeGraph(visible, choose) {
  const total = changes.modes.length;
  if (total === 0) return [];
  const whole = total <= MAX_GRAPH;
  const heading = el('div', { class: 'graph-head' });
  if (whole) {
    heading.append(el('span', { class: 'muted' }, `${plural(total, 'mode')}, each named by the conditions that hold (∅: none). Arrows are changes; choose one to see it below.`));
    return [heading, graphPicture(changes.modes.map((_, i) => i), ringLayout(total), visible, choose, null)];
  }
  // Too many to draw: one mode with those it leads to.
  heading.append(el('span', { class: 'muted' }, `${plural(total, 'mode')} are too many to draw: this is one of them with the modes it changes into. Switch conditions to walk around.`));
  const rerender = () => {
    const frame = heading.parentNode;
    const focused = document.activeElement && document.activeElement.dataset.condition;
    frame.replaceChildren(...modeGraph(visible, choose));
    if (focused !== undefined) frame.querySelector(`[data-condition="${focused}"]`)?.focus();
  };
  const switches = el('div', { class: 'switches', role: 'group', 'aria-label': 'The mode in the middle' });
  const relevant = data.conditions.map((condition, i) => [condition, i]).filter(([condition]) => !condition.auxiliary);
  for (const [condition, i] of relevant.slice(0, 80)) {
    const bits = changes.modes[centreMode];
    const flipped = bits.slice(0, i) + (bits[i] === '1' ? '0' : '1') + bits.slice(i + 1);
    const target = modeIndex.get(flipped);
    const button = el('button', { type: 'button', class: 'switch', 'aria-pressed': String(bits[i] === '1'), 'data-condition': i, disabled: target === undefined }, condition.name);
    button.addEventListener('click', () => {
      centreMode = target;
      rerender();
    });
    switches.append(button);
  }
  if (relevant.length > 80) switches.append(el('span', { class: 'muted' }, `and ${relevant.length - 80} more`));
  const around = [...new Set((outgoing.get(centreMode) || []).map(([, to]) => to))].filter((to) => to !== centreMode).slice(0, 24);
  const positions = new Map([[centreMode, [0, 0]]]);
  around.forEach((mode, i) => {
    const angle = (2 * Math.PI * i) / around.length - Math.PI / 2;
    positions.set(mode, [Math.cos(angle), Math.sin(angle)]);
  });
  const move = (mode) => {
    centreMode = mode;
    rerender();
  };
  return [heading, switches, graphPicture([centreMode, ...around], positions, visible, choose, move)];
}

const modeIndex = new Map(changes.modes.map((bits, i) => [bits, i]));

function ringLayout(n) {
  const positions = new Map();
  for (let i = 0; i < n; i += 1) {
    const angle = n === 2 ? Math.PI * (1 - i) : (2 * Math.PI * i) / n - Math.PI / 2;
    positions.set(i, [Math.cos(angle), n === 2 ? 0 : Math.sin(angle)]);
  }
  return positions;
}

function graphPicture(modes, positions, visible, choose, move) {
  const flat = modes.length === 2 && !move;
  const [width, height] = flat ? [760, 120] : [860, modes.length > 8 ? 560 : 420];
  const [rx, ry] = flat ? [250, 0] : [width / 2 - 130, height / 2 - 50];
  const place = (mode) => {
    const [x, y] = positions.get(mode);
    return [width / 2 + x * rx, height / 2 + y * ry];
  };
  const picture = svg('svg', { class: 'graph', viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': 'Graph of modes', style: `max-width: ${width}px` });
  for (const [effect] of EFFECTS) picture.append(arrowHead(effect));
  const inside = new Set(modes);
  const edges = [];
  for (const from of modes) {
    if (move && from !== centreMode) continue;
    for (const [cls, to] of outgoing.get(from) || []) {
      if (inside.has(to) && visible.has(changes.classes[cls].effect)) edges.push([cls, from, to]);
    }
  }
  const seen = new Map();
  for (const [cls, from, to] of edges) {
    const item = changes.classes[cls];
    const key = `${from}→${to}`;
    const nth = seen.get(key) || 0;
    seen.set(key, nth + 1);
    const path = edgePath(place(from), place(to), from === to, nth);
    const title = `${item.event.replace(/`/g, '')}: ${effectText(item)}`;
    const edge = svg('g', { class: `edge ${item.effect}`, tabindex: '0', role: 'button', 'data-class': cls, 'aria-label': title }, svg('title', {}, title), svg('path', { class: 'hit', d: path }), svg('path', { class: 'line', d: path, 'marker-end': `url(#arrow-${item.effect})` }));
    press(edge, () => choose(cls, true));
    picture.append(edge);
  }
  for (const mode of modes) {
    const [x, y] = place(mode);
    const name = modeName(changes.modes[mode]);
    const differs = move && mode !== centreMode ? flippedNames(changes.modes[centreMode], changes.modes[mode]) : name;
    const shown = differs.length > 24 ? `${differs.slice(0, 23)}…` : differs;
    const half = Math.max(34, shown.length * 3.9 + 14);
    const node = svg('g', { class: mode === centreMode && move ? 'node chosen' : 'node', tabindex: move ? '0' : null, role: move ? 'button' : null }, svg('title', {}, name), svg('rect', { x: x - half, y: y - 17, width: 2 * half, height: 34, rx: 17 }), svg('text', { x, y: y + 5 }, shown));
    if (move && mode !== centreMode) press(node, () => move(mode));
    picture.append(node);
  }
  return picture;
}

/** `+g1 −g2`: what changes from one mode to another. */
function flippedNames(from, to) {
  return data.conditions
    .map((condition, i) => (condition.auxiliary || from[i] === to[i] ? '' : `${to[i] === '1' ? '+' : '−'}${condition.name}`))
    .filter(Boolean)
    .join(' ');
}

/** A curve from one node's border to another's; several between the same nodes bend differently. */
function edgePath([x1, y1], [x2, y2], loop, nth) {
  if (loop) {
    const r = 22 + 8 * nth;
    return `M${x1 - 14} ${y1 - 17} C${x1 - 20 - r} ${y1 - 40 - r} ${x1 + 20 + r} ${y1 - 40 - r} ${x1 + 14} ${y1 - 17}`;
  }
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const bend = 18 + nth * 22;
  const border = (sign) => {
    // Leave the rounded node: further out where the way is flat.
    const flat = Math.abs(ux);
    return sign * (22 + 34 * flat);
  };
  const [sx, sy] = [x1 + ux * border(1) - uy * 7, y1 + uy * border(1) + ux * 7];
  const [ex, ey] = [x2 - ux * border(1) - uy * 7, y2 - uy * border(1) + ux * 7];
  const [cx, cy] = [(sx + ex) / 2 - uy * bend, (sy + ey) / 2 + ux * bend];
  return `M${sx.toFixed(1)} ${sy.toFixed(1)} Q${cx.toFixed(1)} ${cy.toFixed(1)} ${ex.toFixed(1)} ${ey.toFixed(1)}`;
}

function changeDetail(item) {
  const names = (list) => list.map((name, i) => [i ? ', ' : '', math(name)]).flat();
  const row = (title, content, shown) => (shown ? [el('dt', {}, title), el('dd', {}, content)] : []);
  const lines = (title, list, cls) =>
    list.length ? el('details', { class: 'fold', open: cls === 'bad' }, el('summary', {}, `${title} (${list.length})`), paged(list, 30, (line) => lineOf(line), el('div', {}))) : '';
  return [
    el('h3', {}, el('i', { class: `dot ${item.effect}` }), code(item.event), ' ', el('span', { class: `kind ${item.verdict === 'determined' ? 'regular' : 'singular'}` }, item.verdict.replace(/-/g, ' '))),
    item.count > 1 ? el('p', { class: 'muted' }, `${item.count.toLocaleString('en')} changes have this result; the first one is shown.`) : '',
    el(
      'dl',
      { class: 'facts' },
      ...row('jump', names(item.jumps), item.jumps.length),
      ...row('impulsive', item.impulsive.map(([name, order], i) => [i ? ', ' : '', math(name), el('span', { class: 'muted' }, order === '1' ? '' : ` (order ${order})`)]).flat(), item.impulsive.length),
      ...row('continuous', names(item.determined.filter((name) => !item.jumps.includes(name)).slice(0, 40)), item.determined.some((name) => !item.jumps.includes(name))),
      ...row('undetermined', names(item.undetermined), item.undetermined.length),
      ...row('remarks', item.flags.join('; '), item.flags.length),
    ),
    item.restart.length
      ? el('div', {}, el('h4', {}, 'Restart system'), el('div', { class: 'restart' }, paged(item.restart, 40, (line) => lineOf(line), el('div', {}))), el('p', { class: 'muted small' }, el('i', {}, 'x'), el('sup', {}, '−'), ' just before, ', el('i', {}, 'x'), el('sup', {}, '+'), ' just after, ', el('i', {}, 'x'), el('sup', { class: 'impulse' }, '↓'), ' the weight of an impulse, ', el('i', {}, 'x'), '′ a derivative'))
      : el('p', { class: 'muted' }, item.verdict === 'determined' ? 'Nothing has to be solved at this instant: all states go on as they are.' : 'There is no restart system.'),
    lines('Contradicting each other', item.conflicts, 'bad'),
    lines('Impulses in functions', item.nonlinear, 'bad'),
    ...item.arrays.map(arrayTable),
    lines('Facts at the instant', item.facts),
    lines('Redundant', item.redundant),
    item.diagnostics.length ? el('div', {}, el('h4', {}, 'Messages'), ...item.diagnostics.map(message)) : '',
  ];
}

function lineOf(line) {
  return el('div', { class: 'equation' }, math(changes.texts[line.text]), line.note ? el('span', { class: 'chip' }, line.note.replace(/-/g, ' ')) : '', line.source !== null && line.source !== line.text ? el('span', { class: 'muted from' }, 'from ', math(changes.texts[line.source])) : '', sourceLink(line.at));
}

/** The mode change array of a part, with the offsets μ. */
function arrayTable(array, i, all) {
  const title = all.length > 1 ? `Mode change array, part ${i + 1}` : 'Mode change array';
  if (array.too_large) return el('p', { class: 'muted' }, `${title}: ${array.too_large} rows are too many to be shown.`);
  if (array.rows.length === 0 && array.offsets.length === 0) return '';
  const head = el('tr', {}, el('th', { scope: 'col' }, 'row'), el('th', { scope: 'col' }, 'at'), array.columns.map((cell) => el('th', { scope: 'col', class: cell.past ? 'cell past' : 'cell', title: cell.past ? 'given by the old mode' : null }, el('span', {}, math(changes.texts[cell.name]), cell.instant ? el('span', { class: 'muted' }, ` +${cell.instant}ε`) : ''))));
  const rows = array.rows.map((row) => {
    const there = new Set(row.columns);
    return el(
      'tr',
      { class: row.mark || null },
      el('th', { scope: 'row' }, math(changes.texts[row.text]), ' ', el('span', { class: 'chip' }, row.mark || row.rank)),
      el('td', { class: 'muted' }, row.instant ? `t*+${row.instant}ε` : 't*'),
      array.columns.map((cell, k) => el('td', { class: there.has(k) ? (cell.past ? 'on past' : 'on') : null }, there.has(k) ? el('span', { class: 'sr' }, 'occurs') : '')),
    );
  });
  return el(
    'details',
    { class: 'fold', open: array.rows.length <= 10 && all.length === 1 },
    el('summary', {}, `${title}: ${plural(array.rows.length, 'row')}, ${plural(array.columns.length, 'column')}`),
    array.rows.length ? el('div', { class: 'scroll' }, el('table', { class: 'array' }, el('thead', {}, head), el('tbody', {}, rows))) : '',
    array.offsets.length ? el('div', {}, el('h4', {}, 'Offsets μ'), el('div', { class: 'offsets' }, array.offsets.slice(0, 200).map((o) => el('span', { class: o.mu === '0' ? 'mu' : 'mu up', title: o.meaning }, math(changes.texts[o.name]), ` ${o.mu}`)))) : '',
  );
}
