// The conditional dependency graph: which equation needs what another one determines, and in which modes.

const MAX_WHOLE = 14;

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
    el('p', {}, 'An arrow leads from the equation that determines a variable to one that needs it; on it stand the variable and, where it is not always so, the modes.'),
    el('div', { class: 'bar' }, el('label', { for: 'dependency-search' }, 'Around the equation'), search, options),
    caption,
    view,
  );
  const whole = nodes.length <= MAX_WHOLE && data.dependencies.length <= 40;
  const show = (centre) => {
    if (centre === null) {
      caption.textContent = `${plural(nodes.length, 'equation')}, ${plural(data.dependencies.length, 'dependency', 'dependencies')}. Choose one to see its neighbours only.`;
      view.replaceChildren(dependencyPicture(data.dependencies, null, show));
      return;
    }
    const near = data.dependencies.filter((d) => d.from === centre || d.to === centre);
    const shown = near.slice(0, 60);
    const rest = near.length - shown.length + data.more_dependencies;
    caption.replaceChildren(
      `Neighbours of `,
      math(data.equations[centre].text),
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

/** Nodes in layers from left to right, long ways first; within a layer near their neighbours. */
function layers(edges, nodes) {
  const level = new Map(nodes.map((n) => [n, 0]));
  // Cycles exist: stop after as many rounds as there are nodes.
  for (let round = 0, changed = true; changed && round < nodes.length; round += 1) {
    changed = false;
    for (const { from, to } of edges) {
      if (from !== to && level.get(to) < level.get(from) + 1 && level.get(from) + 1 < Math.min(nodes.length, 9)) {
        level.set(to, level.get(from) + 1);
        changed = true;
      }
    }
  }
  const columns = [];
  for (const n of nodes) (columns[level.get(n)] ||= []).push(n);
  const result = columns.filter(Boolean);
  const place = new Map();
  result.forEach((column) => column.forEach((n, i) => place.set(n, i - column.length / 2)));
  for (let sweep = 0; sweep < 6; sweep += 1) {
    for (const column of sweep % 2 ? [...result].reverse() : result) {
      const pull = (n) => {
        const near = edges.filter((e) => e.from === n || e.to === n).map((e) => place.get(e.from === n ? e.to : e.from));
        return near.length ? near.reduce((a, b) => a + b, 0) / near.length : place.get(n);
      };
      const key = new Map(column.map((n) => [n, pull(n)]));
      column.sort((a, b) => key.get(a) - key.get(b) || a - b);
      column.forEach((n, i) => place.set(n, i - column.length / 2));
    }
  }
  return result;
}

function dependencyPicture(edges, centre, choose) {
  const nodes = [...new Set(edges.flatMap((e) => [e.from, e.to]))].sort((a, b) => a - b);
  let columns;
  if (centre === null) columns = layers(edges, nodes);
  else {
    const before = [...new Set(edges.filter((e) => e.to === centre && e.from !== centre).map((e) => e.from))];
    const after = [...new Set(edges.filter((e) => e.from === centre && e.to !== centre && !before.includes(e.to)).map((e) => e.to))];
    columns = [before, [centre], after].filter((column) => column.length);
  }
  const WIDTH = 210;
  const GAP = 170;
  const STEP = 46;
  const tallest = Math.max(...columns.map((column) => column.length));
  const height = Math.max(120, tallest * STEP + 24);
  const width = columns.length * WIDTH + (columns.length - 1) * GAP + 24;
  const at = new Map();
  columns.forEach((column, i) => column.forEach((n, k) => at.set(n, { x: 12 + i * (WIDTH + GAP), y: (height - column.length * STEP) / 2 + k * STEP + STEP / 2 })));
  const picture = svg('svg', { class: 'graph', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group' });
  picture.append(arrowHead('dependency'));
  const labels = [];
  const labelled = new Map();
  const pairs = new Map();
  for (const edge of edges) {
    const key = `${edge.from}→${edge.to}`;
    pairs.set(key, [...(pairs.get(key) || []), edge]);
  }
  for (const group of pairs.values()) {
    const a = at.get(group[0].from);
    const b = at.get(group[0].to);
    const forward = b.x > a.x;
    const same = a.x === b.x;
    const [x1, x2] = [forward || same ? a.x + WIDTH : a.x, forward ? b.x : b.x + WIDTH];
    const bend = same ? 60 : Math.max(50, Math.abs(x2 - x1) / 2);
    const path = `M${x1} ${a.y} C${x1 + (forward || same ? bend : -bend)} ${a.y} ${x2 + (forward ? -bend : bend)} ${b.y} ${x2} ${b.y}`;
    const conditional = group.some((edge) => edge.when !== 'true');
    const text = group.map((edge) => `${edge.variable}${edge.when === 'true' ? '' : ` when ${edge.when}`}`).join('; ');
    picture.append(svg('path', { class: conditional ? 'edge conditional' : 'edge', d: path, 'marker-end': 'url(#arrow-dependency)' }, svg('title', {}, text)));
    if (edges.length <= 40) {
      // In the gap behind the node it leaves, where no node can be in the way.
      const near = Math.min(0.5, GAP / 2 / Math.max(1, Math.abs(x2 - x1)));
      const x = x1 + (forward || same ? 1 : -1) * GAP * 0.5;
      const y = a.y + (b.y - a.y) * near * near * (3 - 2 * near) - 4;
      const free = (labelled.get(`${a.x} ${Math.round(y / 12)}`) || 0) * 12;
      labelled.set(`${a.x} ${Math.round(y / 12)}`, free / 12 + 1);
      labels.push(svg('text', { class: 'edge-label', x, y: y - free }, text.length > 25 ? `${text.slice(0, 24)}…` : text, svg('title', {}, text)));
    }
  }
  for (const n of nodes) {
    const { x, y } = at.get(n);
    const text = data.equations[n].text;
    const node = svg(
      'g',
      { class: n === centre ? 'node chosen' : 'node', tabindex: '0', role: 'button', 'aria-label': `${text}${data.equations[n].when === 'true' ? '' : ` when ${data.equations[n].when}`}` },
      svg('title', {}, `${text}${data.equations[n].when === 'true' ? '' : `\nwhen ${data.equations[n].when}`}`),
      svg('rect', { x, y: y - 16, width: WIDTH, height: 32, rx: 7 }),
      svg('text', { x: x + WIDTH / 2, y: y + 4 }, text.length > 30 ? `${text.slice(0, 29)}…` : text),
    );
    press(node, () => choose(n));
    picture.append(node);
  }
  picture.append(...labels);
  roving(picture, '.node');
  return picture;
}

function arrowHead(name) {
  return svg('defs', {}, svg('marker', { id: `arrow-${name}`, class: `head ${name}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0 L8 4 L0 8 z' })));
}
