// The conditional dependency graph: which equation needs what another one determines, and in which modes.

const MAX_NEAR = 24;

function dependenciesSection() {
  const body = byId('dependencies-body');
  if (data.dependencies.length === 0) {
    body.append(el('p', { class: 'muted' }, 'No equation needs what another one determines under a condition.'));
    return;
  }
  const nodes = [...new Set(data.dependencies.flatMap((d) => [d.from, d.to]))].sort((a, b) => a - b);
  const view = el('div', { class: 'graph-frame', tabindex: '0', role: 'group', 'aria-label': 'Dependency graph' });
  const caption = el('p', { class: 'muted', 'aria-live': 'polite' });
  const options = el('datalist', { id: 'dependency-names' }, nodes.slice(0, 2000).map((i) => el('option', { value: data.equations[i].text })));
  const search = el('input', { id: 'dependency-search', type: 'search', list: 'dependency-names', placeholder: 'part of an equation', autocomplete: 'off' });
  body.append(
    el('p', {}, 'An arrow leads from the equation that determines a variable to one that needs it; it is broken where that is so in some modes only. Point at an arrow, or choose an equation, to see the variable and the modes.'),
    el('div', { class: 'bar' }, el('label', { for: 'dependency-search' }, 'Around the equation'), search, options),
    caption,
    view,
    dependencyList(),
  );
  const picture = data.dependency_picture;
  const whole = picture.nodes.length > 1;
  const collapsed = picture.nodes.some((node) => node.stands_for === null);
  const show = (centre) => {
    if (centre === null) {
      const all = `${plural(nodes.length, 'equation')}, ${plural(data.dependencies.length, 'dependency', 'dependencies')}.`;
      caption.textContent = collapsed ? `${all} There are too many to draw: a node stands for all equations of a component.` : `${all} Choose one to see its neighbours only.`;
      view.replaceChildren(drawPicture(picture, 'Dependencies', { chooseNode: collapsed ? null : (node) => show(node.stands_for) }));
      return;
    }
    const near = data.dependencies.filter((d) => d.from === centre || d.to === centre);
    const shown = near.slice(0, MAX_NEAR);
    const rest = near.length - shown.length + data.more_dependencies;
    caption.replaceChildren(
      `Neighbours of `,
      math(cut(data.equations[centre].text, 160)),
      ` (${plural(near.length, 'dependency', 'dependencies')} of ${data.dependencies.length.toLocaleString('en')}${rest > 0 ? `, ${rest.toLocaleString('en')} not drawn` : ''}) `,
      sourceLink(data.equations[centre].at),
      whole ? press(el('button', { type: 'button', class: 'quiet' }, 'show all'), () => show(null)) : '',
    );
    view.replaceChildren(dependencyPicture(shown, centre, show));
  };
  search.addEventListener('input', () => {
    const wanted = search.value.trim();
    if (!wanted) {
      show(whole ? null : busiest());
      return;
    }
    const found = nodes.find((i) => data.equations[i].text === wanted) ?? nodes.find((i) => data.equations[i].text.includes(wanted) || data.equations[i].component.includes(wanted));
    if (found === undefined) caption.textContent = 'No equation contains this.';
    else show(found);
  });
  const busiest = () => {
    const degree = new Map();
    for (const d of data.dependencies) for (const n of [d.from, d.to]) degree.set(n, (degree.get(n) || 0) + 1);
    return [...degree].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0][0];
  };
  show(whole ? null : busiest());
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Edges from one node to another are drawn as one. */
function bundles(edges) {
  const pairs = new Map();
  for (const edge of edges) {
    const key = `${edge.from}→${edge.to}`;
    if (!pairs.has(key)) pairs.set(key, { from: edge.from, to: edge.to, conditional: false, texts: [] });
    const bundle = pairs.get(key);
    bundle.conditional ||= edge.when !== 'true';
    bundle.texts.push(`${edge.variable}${edge.when === 'true' ? '' : ` when ${edge.when}`}`);
  }
  return [...pairs.values()];
}

/** An equation with those before and behind it. */
function dependencyPicture(edges, centre, choose) {
  const nodes = [...new Set(edges.flatMap((e) => [e.from, e.to]))].sort((a, b) => a - b);
  const before = [...new Set(edges.filter((e) => e.to === centre && e.from !== centre).map((e) => e.from))];
  const after = [...new Set(edges.filter((e) => e.from === centre && e.to !== centre && !before.includes(e.to)).map((e) => e.to))];
  const columns = [before, [centre], after].filter((column) => column.length);
  const WIDTH = 212;
  const STEP = 44;
  const tallest = Math.max(...columns.map((column) => column.length));
  // Every other node has a row of its own, in which the label of its edge has room.
  const GAP = 210;
  const MARGIN = 12;
  const height = Math.max(120, tallest * STEP + 24);
  const width = columns.length * WIDTH + (columns.length - 1) * GAP + 2 * MARGIN;
  const at = new Map();
  columns.forEach((column, i) => column.forEach((n, k) => at.set(n, { x: MARGIN + i * (WIDTH + GAP), y: (height - column.length * STEP) / 2 + k * STEP + STEP / 2 })));
  // A little too wide is made smaller; what would become unreadable is scrolled.
  const picture = svg('svg', { class: width <= 1400 ? 'graph fitted' : 'graph', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group' });
  picture.append(arrowHead('dependency'));
  const around = new Map(nodes.map((n) => [n, []]));
  const labels = [];
  for (const bundle of bundles(edges)) {
    const [a, b] = [at.get(bundle.from), at.get(bundle.to)];
    const forward = b.x > a.x;
    const same = a.x === b.x;
    const leave = forward || (same && b.y > a.y) ? 1 : -1;
    const enter = same ? leave : -leave;
    const [x1, x2] = [leave > 0 ? a.x + WIDTH : a.x, enter > 0 ? b.x + WIDTH : b.x];
    const bend = Math.max(50, Math.abs(x2 - x1) / 2);
    const path = `M${x1} ${a.y + 4 * (leave > 0)} C${x1 + leave * bend} ${a.y} ${x2 + enter * bend} ${b.y} ${x2} ${b.y - 4 * (enter > 0)}`;
    const text = bundle.texts.join('; ');
    const line = svg('path', { class: bundle.conditional ? 'edge conditional' : 'edge', d: path, 'marker-end': 'url(#arrow-dependency)' }, svg('title', {}, text));
    picture.append(line);
    around.get(bundle.from).push(line);
    around.get(bundle.to).push(line);
    if (!same) {
      const other = bundle.from === centre ? b : a;
      const right = other.x < at.get(centre).x;
      const [x, shown] = [right ? other.x + WIDTH + 8 : other.x - 12, cut(text, 31)];
      const width = 6.4 * shown.length + 4;
      // Where two equations depend on each other, what leads back has its label below.
      const top = bundle.from === centre && before.includes(bundle.to) ? other.y + 3 : other.y - 15;
      labels.push(
        svg('rect', { class: 'behind-label', x: right ? x - 2 : x + 2 - width, y: top, width, height: 13 }),
        svg('text', { class: `edge-label ${right ? 'right' : 'left'}`, x, y: top + 10 }, shown, svg('title', {}, text)),
      );
    }
  }
  for (const n of nodes) {
    const { x, y } = at.get(n);
    const { text, when } = data.equations[n];
    const condition = when === 'true' ? '' : ` when ${when}`;
    const node = svg(
      'g',
      { class: n === centre ? 'node chosen' : 'node', tabindex: '0', role: 'button', 'aria-label': text + condition },
      svg('title', {}, text + condition),
      svg('rect', { x, y: y - 15, width: WIDTH, height: 30, rx: 7 }),
      svg('text', { x: x + WIDTH / 2, y: y + 4 }, cut(text, 28)),
    );
    const light = (on) => around.get(n).forEach((line) => line.classList.toggle('lit', on));
    for (const [event, on] of [['mouseenter', true], ['mouseleave', false], ['focus', true], ['blur', false]]) node.addEventListener(event, () => light(on));
    press(node, () => choose(n));
    picture.append(node);
  }
  picture.append(...labels);
  roving(picture, '.node');
  return picture;
}

/** All dependencies in words, for search, for print, and for those who see no pictures. */
function dependencyList() {
  const row = (...cells) => el('div', { class: 'dependency', role: 'row' }, cells.map((cell) => el('div', { role: 'cell' }, cell)));
  const line = ({ from, to, texts }) => row(math(data.equations[from].text), texts.map((text, i) => [i ? el('br', {}) : '', formulaText(text)]).flat(), math(data.equations[to].text));
  const list = el('div', { class: 'dependency-list', role: 'table' }, row('this equation', 'determines', 'which this one needs'));
  const details = el('details', { class: 'fold' }, el('summary', {}, 'All of them as a list'), list);
  details.addEventListener('toggle', () => details.open && list.childElementCount === 1 && paged(bundles(data.dependencies), 30, line, list));
  return details;
}

function arrowHead(name) {
  return svg('defs', {}, svg('marker', { id: `arrow-${name}`, class: `head ${name}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0 L8 4 L0 8 z' })));
}
