// Mode changes: the graph of modes, classes of changes, and what happens in each.

const EFFECTS = [
  ['continuous', 'continuous'],
  ['jump', 'jump'],
  ['impulsive', 'impulsive'],
  ['undetermined', 'undetermined'],
  ['rejected', 'rejected'],
];
const WORST = EFFECTS.map(([effect]) => effect).reverse();
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
  if (data.verdict === 'rejected') body.append(el('p', { class: 'notice warn' }, 'The model is rejected. What is said here is about the model as it would be if each mode were entered as its conditions say; it counts once the errors above are mended.'));
  if (changes.classes.length === 0) {
    body.append(el('p', { class: 'muted' }, data.summary.modes === '1' ? 'The model has no mode changes.' : 'There are no mode changes to analyse.'));
    return;
  }
  const visible = new Set(EFFECTS.map(([effect]) => effect));
  const counts = new Map();
  for (const item of changes.classes) counts.set(item.effect, (counts.get(item.effect) || 0) + item.count);
  const graph = el('div', { class: 'graph-frame modes-graph' });
  const detail = el('div', { id: 'change-detail', class: 'panel', tabindex: '-1', 'aria-live': 'polite' });
  const list = el('div', { class: 'change-list', role: 'group', 'aria-label': 'Changes with equal results' });
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
    for (const node of list.querySelectorAll('[data-class]')) {
      if (Number(node.dataset.class) === index) node.setAttribute('aria-current', 'true');
      else node.removeAttribute('aria-current');
    }
    for (const node of graph.querySelectorAll('.edge')) node.classList.toggle('chosen', Number(node.dataset.class) === index);
    if (focus) {
      detail.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
      detail.focus({ preventScroll: true });
    }
  };
  chooseChange = choose;
  const renderList = () => {
    const wanted = search.value.trim().toLowerCase();
    const matching = changes.classes
      .map((item, i) => [item, i])
      .sort(([a], [b]) => WORST.indexOf(a.effect) - WORST.indexOf(b.effect))
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
            { class: 'change-item', role: 'button', tabindex: '0', 'data-class': i, 'aria-current': i === chosen ? 'true' : null },
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
    el('p', {}, `${plural(data.summary.changes, 'change')} in ${plural(changes.classes.length, 'class', 'classes')} with equal results.`, data.summary.left_out ? el('span', { class: 'notice inline' }, ` There are more modes than can be listed: ${data.summary.left_out}.`) : ''),
    el('div', { class: 'chips', role: 'group', 'aria-label': 'Kinds of changes' }, chips),
    graph,
    el('div', { class: 'split' }, el('div', {}, el('div', { class: 'bar' }, el('label', { for: 'change-search' }, 'Find'), search), list), detail),
  );
  if (changes.initialisation) {
    body.append(el('details', { class: 'fold' }, el('summary', {}, 'The start of the model'), el('div', { class: 'panel' }, ...changeDetail(changes.initialisation))));
  }
  renderList();
  renderGraph();
  const first = WORST.map((effect) => changes.classes.findIndex((item) => item.effect === effect)).find((i) => i >= 0);
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

/** Conditions that decide equations, with their numbers. */
const deciding = data.conditions.map((condition, i) => [condition.name, i]).filter(([, i]) => !data.conditions[i].auxiliary);

/** Names in pictures: letters where a mode's name would not fit into its node. */
const longNames = changes.modes.slice(0, 500).some((bits) => deciding.filter(([, i]) => bits[i] === '1').map(([name]) => name).join(', ').length > 24);
const inLetters = longNames && deciding.length <= 26 && deciding.some(([name]) => name.length > 6);
const shortNames = new Map(deciding.map(([name, i], k) => [i, inLetters ? String.fromCharCode(97 + k) : name]));

/** What a mode is called: the conditions that hold. */
function modeName(bits, short) {
  const on = deciding.filter(([, i]) => bits[i] === '1').map(([name, i]) => (short ? shortNames.get(i) : name));
  if (on.length) return on.join(', ');
  return deciding.length === 1 ? `not ${short ? shortNames.get(deciding[0][1]) : deciding[0][0]}` : 'none';
}

/** What the letters stand for. */
function letters() {
  if (!inLetters) return '';
  return el('div', { class: 'letters' }, deciding.map(([name, i]) => el('span', {}, el('b', {}, shortNames.get(i)), ' ', el('code', {}, name))));
}

/** A button to the change that an event of a run is, where it was analysed. */
function changeOf({ from, to }) {
  if (!from || !to) return '';
  const bitsOf = (holding) => changes.modes.findIndex((bits) => deciding.every(([name, i]) => (bits[i] === '1') === holding.includes(name)));
  const [a, b] = [bitsOf(from), bitsOf(to)];
  const found = a < 0 || b < 0 ? undefined : (outgoing.get(a) || []).find(([, target]) => target === b);
  if (!found) return '';
  return [' ', el('button', { type: 'button', class: 'quiet small to-change', onclick: () => chooseChange(found[0], true) }, changes.classes[found[0]].effect, ': see the change')];
}

/** Shows a class of changes; the section of changes sets it. */
let chooseChange = () => {};

let centreMode = 0;

function modeGraph(visible, choose) {
  const total = changes.modes.length;
  if (total === 0) return [];
  const collapsed = changes.picture.nodes.some((node) => node.stands_for === null);
  const heading = el('div', { class: 'graph-head' });
  const picture = drawPicture(changes.picture, 'Graph of modes', {
    visible: (edge) => visible.has(edge.style),
    chooseEdge: (edge) => choose(edge.shows, true),
    titleOf: (edge) => (collapsed ? `${edge.title}: ${edge.style}` : `${edge.title}: ${effectText(changes.classes[edge.shows])}`),
  });
  const colours = 'The darker a mode, the higher its index; a red one is singular.';
  if (!collapsed) {
    heading.append(el('span', { class: 'muted' }, `${plural(total, 'mode')}, each named by the conditions that hold. Arrows are changes; choose one to see it below. ${colours}`), letters());
    return [heading, picture];
  }
  heading.append(el('span', { class: 'muted' }, `${plural(total, 'mode')} are too many to draw one by one: a node stands for all modes with the same structure, an arrow for all changes of a kind between them. ${colours}`));
  return [heading, picture, ...neighbours(visible, choose)];
}

/** One mode with those it leads to, of modes that are too many to be drawn. */
function neighbours(visible, choose) {
  const heading = el('div', { class: 'graph-head' });
  heading.append(el('span', { class: 'muted' }, 'This is one mode with the modes it changes into. Switch conditions to walk around.'), letters());
  const rerender = () => {
    const frame = heading.parentNode;
    const focused = document.activeElement && document.activeElement.dataset.condition;
    const around = frame.querySelector('.graph');
    frame.replaceChildren(frame.firstChild, around, ...neighbours(visible, choose));
    if (focused !== undefined) frame.querySelector(`[data-condition="${focused}"]`)?.focus();
  };
  const switches = el('div', { class: 'switches', role: 'group', 'aria-label': 'The mode in the middle' });
  for (const [name, i] of deciding.slice(0, 80)) {
    const bits = changes.modes[centreMode];
    const flipped = bits.slice(0, i) + (bits[i] === '1' ? '0' : '1') + bits.slice(i + 1);
    const target = modeIndex.get(flipped);
    const button = el('button', { type: 'button', class: 'switch', 'aria-pressed': String(bits[i] === '1'), 'data-condition': i, disabled: target === undefined }, name);
    button.addEventListener('click', () => {
      centreMode = target;
      rerender();
    });
    switches.append(button);
  }
  if (deciding.length > 80) switches.append(el('span', { class: 'muted' }, `and ${deciding.length - 80} more`));
  const reached = [...new Set((outgoing.get(centreMode) || []).map(([, to]) => to))].filter((to) => to !== centreMode);
  // As many as fit round the ring, whose nodes are as wide as their names.
  const longest = Math.max(0, ...reached.slice(0, 24).map((to) => Math.min(24, flippedNames(changes.modes[centreMode], changes.modes[to]).length)));
  const around = reached.slice(0, Math.min(24, Math.floor(1800 / (2 * halfWidth(longest) + 10))));
  if (reached.length > around.length) heading.append(el('span', { class: 'muted' }, ` ${around.length} of ${reached.length} are drawn.`));
  const ring = ringLayout(around.length);
  const positions = new Map([[centreMode, [0, 0]], ...around.map((mode, i) => [mode, ring.get(i)])]);
  const move = (mode) => {
    centreMode = mode;
    rerender();
  };
  return [heading, switches, graphPicture([centreMode, ...around], positions, visible, choose, move)];
}

const modeIndex = new Map(changes.modes.map((bits, i) => [bits, i]));

const RING = [3, 2];

/** `n` places on an ellipse, as far apart as each other along it, so that nodes at its flat sides have room. */
function ringLayout(n) {
  if (n === 2) return new Map([[0, [-1, 0]], [1, [1, 0]]]);
  const STEPS = 720;
  const along = [0];
  const at = (k) => {
    const angle = (2 * Math.PI * k) / STEPS - Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle)];
  };
  for (let k = 1; k <= STEPS; k += 1) {
    const [[x1, y1], [x2, y2]] = [at(k - 1), at(k)];
    along.push(along[k - 1] + Math.hypot((x2 - x1) * RING[0], (y2 - y1) * RING[1]));
  }
  const positions = new Map();
  for (let i = 0; i < n; i += 1) positions.set(i, at(along.findIndex((length) => length >= (along[STEPS] * i) / n)));
  return positions;
}

function graphPicture(modes, positions, visible, choose, move) {
  const flat = modes.length === 2 && !move;
  const label = (mode) => {
    const text = move && mode !== centreMode ? flippedNames(changes.modes[centreMode], changes.modes[mode]) : modeName(changes.modes[mode], true);
    return text.length > 24 ? `${text.slice(0, 23)}…` : text;
  };
  const half = new Map(modes.map((mode) => [mode, halfWidth(label(mode).length)]));
  const widest = Math.max(...half.values());
  const [width, height] = flat ? [760, 120] : [900, modes.length > 8 ? 560 : 380];
  const [rx, ry] = flat ? [250, 0] : [width / 2 - widest - 20, height / 2 - 50];
  const place = (mode) => {
    const [x, y] = positions.get(mode);
    return { x: width / 2 + x * rx, y: height / 2 + y * ry, half: half.get(mode) };
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
    const path = from === to ? loopPath(place(from), height / 2, nth) : edgePath(place(from), place(to), nth);
    const title = `${item.event.replace(/`/g, '')}: ${effectText(item)}`;
    const edge = svg('g', { class: `edge ${item.effect}`, tabindex: '0', role: 'button', 'data-class': cls, 'aria-label': title }, svg('title', {}, title), svg('path', { class: 'hit', d: path }), svg('path', { class: 'line', d: path, 'marker-end': `url(#arrow-${item.effect})` }));
    press(edge, () => choose(cls, true));
    picture.append(edge);
  }
  for (const mode of modes) {
    const { x, y, half: h } = place(mode);
    const structure = structureClass(changes.modes[mode]);
    const node = svg('g', { class: `${mode === centreMode && move ? 'node chosen' : 'node'} ${structure.tone}`, tabindex: move ? '0' : null, role: move ? 'button' : null }, svg('title', {}, `${modeName(changes.modes[mode])}${structure.text}`), svg('rect', { x: x - h, y: y - HALF, width: 2 * h, height: 2 * HALF, rx: HALF }), svg('text', { x, y: y + 5 }, label(mode)));
    if (move && mode !== centreMode) press(node, () => move(mode));
    picture.append(node);
  }
  return picture;
}

/** How a mode is drawn and told by its structure. */
function structureClass(bits) {
  const group = data.groups[0];
  const own = group?.conditions.map((i) => bits[i]).join('');
  const found = group?.classes?.find((item) => !item.members && item.modes.includes(own));
  if (!found) return { tone: '', text: '' };
  if (found.kind === 'singular') return { tone: 'singular', text: ': singular' };
  return { tone: `index-${Math.min(found.index ?? 0, 3)}`, text: found.index === null ? '' : `: index ${found.index}` };
}

/** `+g1 −g2`: what changes from one mode to another. */
function flippedNames(from, to) {
  return deciding
    .filter(([, i]) => from[i] !== to[i])
    .map(([, i]) => `${to[i] === '1' ? '+' : '−'}${shortNames.get(i)}`)
    .join(' ');
}

/** Half the height of a node. */
const HALF = 16;

/** Half the width of a node with a name of so many characters. */
function halfWidth(characters) {
  return Math.max(26, characters * 3.75 + 14);
}

/** Where the line from the middle of a node towards a point leaves it, a little outside. */
function border({ x, y, half }, [px, py]) {
  const [dx, dy] = [px - x, py - y];
  const scale = Math.min((half + 3) / Math.max(Math.abs(dx), 1e-9), (HALF + 4) / Math.max(Math.abs(dy), 1e-9));
  return [x + dx * scale, y + dy * scale];
}

const coordinates = (...points) => points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);

/** A curve from one node's border to another's; several between the same nodes bend differently. */
function edgePath(a, b, nth) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(26, 8 + length / 14) + nth * 22;
  const middle = [(a.x + b.x) / 2 - (dy / length) * bend, (a.y + b.y) / 2 + (dx / length) * bend];
  const [start, control, end] = coordinates(border(a, middle), middle, border(b, middle));
  return `M${start} Q${control} ${end}`;
}

/** A change into the same mode: a loop on the side that is away from the middle. */
function loopPath({ x, y }, middle, nth) {
  const out = y <= middle ? -1 : 1;
  const r = 20 + 8 * nth;
  const [start, one, two, end] = coordinates([x - 10, y + out * HALF], [x - 14 - r, y + out * (HALF + 12 + r)], [x + 14 + r, y + out * (HALF + 12 + r)], [x + 10, y + out * (HALF + 3)]);
  return `M${start} C${one} ${two} ${end}`;
}

function changeDetail(item) {
  const manyNames = (list) => [names(list.slice(0, 40)), list.length > 40 ? ` and ${list.length - 40} more` : ''].flat();
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
      ...row('continuous', manyNames(item.determined.filter((name) => !item.jumps.includes(name))), item.determined.some((name) => !item.jumps.includes(name))),
      ...row('undetermined', names(item.undetermined), item.undetermined.length),
      ...row('remarks', item.flags.join('; '), item.flags.length),
    ),
    item.restart.length
      ? el('div', {}, el('h4', {}, 'Restart system'), el('div', { class: 'restart' }, paged(item.restart, 40, (line) => lineOf(line), el('div', {}))), el('p', { class: 'muted small' }, el('i', {}, 'x'), el('sup', {}, '−'), ' just before, ', el('i', {}, 'x'), el('sup', {}, '+'), ' just after, ', el('i', {}, 'x'), el('sup', { class: 'impulse' }, '↓'), ' the weight of an impulse, ', el('i', {}, 'x'), '′ a derivative'))
      : el('p', { class: 'muted' }, item.verdict === 'determined' ? 'Nothing has to be solved at this instant: all states go on as they are.' : 'There is no restart system.'),
    lines('Contradicting each other', item.conflicts, 'bad'),
    lines('Impulses in functions', item.nonlinear, 'bad'),
    offsetList(item.offsets),
    ...item.arrays.map(arrayTable),
    lines('Facts at the instant', item.facts),
    lines('Redundant', item.redundant),
    item.diagnostics.length ? el('div', {}, el('h4', {}, 'Messages'), ...item.diagnostics.map(message)) : '',
  ];
}

function lineOf(line) {
  const from = line.source !== null && line.source !== line.text;
  return el('div', { class: 'equation derived' }, el('div', {}, math(changes.texts[line.text]), line.note ? [' ', el('span', { class: 'chip' }, line.note.replace(/-/g, ' '))] : ''), sourceLink(line.at), from ? el('div', { class: 'muted from' }, 'from ', math(changes.texts[line.source])) : '');
}

/** The offsets μ: those that are not zero first, the others on demand if they are many. */
function offsetList(offsets) {
  if (offsets.length === 0) return '';
  const chip = ([name, mu]) => el('span', { class: mu === '0' ? 'mu' : 'mu up' }, math(changes.texts[name]), ` ${mu}`);
  const sorted = [...offsets].sort(([, a], [, b]) => (a === '0') - (b === '0'));
  const list = paged(sorted, 60, chip, el('div', { class: 'offsets' }));
  return el('details', { class: 'fold', open: offsets.length <= 24 }, el('summary', {}, `Offsets μ of ${plural(offsets.length, 'variable')}`), el('p', { class: 'muted small' }, 'Over a change that takes the time ε a variable grows like 1/ε', el('sup', {}, 'μ'), '; all others have μ = 0.'), list);
}

/** The mode change array of a part. */
function arrayTable(array, i, all) {
  const title = all.length > 1 ? `Mode change array, part ${i + 1}` : 'Mode change array';
  if (array.too_large) return el('p', { class: 'muted' }, `${title}: ${array.too_large} rows are too many to be shown.`);
  if (array.rows.length === 0) return '';
  const head = el('tr', {}, el('th', { scope: 'col' }, 'row'), el('th', { scope: 'col' }, 'from'), el('th', { scope: 'col' }, 'at'), array.columns.map((cell) => el('th', { scope: 'col', class: cell.past ? 'cell past' : 'cell', title: cell.past ? 'given by the old mode' : null }, el('span', {}, math(changes.texts[cell.name]), cell.instant ? el('span', { class: 'muted' }, ` +${cell.instant}ε`) : ''))));
  const rows = array.rows.map((row) => {
    const there = new Set(row.columns);
    return el(
      'tr',
      { class: row.mark || null },
      el('th', { scope: 'row', title: changes.texts[row.text] }, el('div', { class: 'cut' }, math(changes.texts[row.text]))),
      el('td', { class: 'rank' }, el('span', { class: 'chip' }, row.mark || row.rank)),
      el('td', { class: 'muted' }, row.instant ? `t*+${row.instant}ε` : 't*'),
      array.columns.map((cell, k) => el('td', { class: there.has(k) ? (cell.past ? 'on past' : 'on') : null }, there.has(k) ? el('span', { class: 'sr' }, 'occurs') : '')),
    );
  });
  return el(
    'details',
    { class: 'fold', open: array.rows.length <= 10 && all.length === 1 },
    el('summary', {}, `${title}: ${plural(array.rows.length, 'row')}, ${plural(array.columns.length, 'column')}`),
    el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': title }, el('table', { class: 'array' }, el('thead', {}, head), el('tbody', {}, rows))),
  );
}
