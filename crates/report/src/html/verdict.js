// What is to be known first: accepted or not, in a sentence, and what is to blame.

/** What a message about a loop says of it. */
const STATUS_OF = { MS4002: 'state-changing', MS4003: 'undecided', MS4014: 'none', MS4015: 'several' };

/** Messages, each once, the gravest first. */
function messages() {
  const seen = new Set();
  const rank = { error: 0, warning: 1, note: 2 };
  return data.diagnostics
    .filter((d) => {
      const key = d.code + d.message;
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => rank[a.severity] - rank[b.severity]);
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function verdictCard(list) {
  const errors = list.filter((d) => d.severity === 'error');
  const warnings = list.filter((d) => d.severity === 'warning');
  const { modes, changes: total, truncated } = data.summary;
  if (data.verdict !== 'rejected' || errors.length === 0) {
    const each = modes === '1' ? 'In the one mode of the model' : modes === null ? 'In every mode' : ['In each of the ', count(modes), ' modes'];
    const changes = total === 0 ? '' : truncated ? `, and each of the ${total.toLocaleString('en')} changes that were analysed determines the state after it; not all changes were analysed` : `, and ${total === 1 ? 'its one change' : `each of the ${total.toLocaleString('en')} changes between modes`} determines the state after it`;
    const words = data.verdict === 'accepted' ? el('p', {}, el('b', {}, 'Accepted. '), each, ' the equations determine the unknowns', changes, '.') : '';
    const [open, several] = ['undecided', 'several'].map((status) => data.loops.filter((item) => item.status === status).length);
    const link = (n) => el('a', { href: '#loops' }, plural(n, 'loop'));
    const follows = [
      several ? el('p', {}, 'In ', link(several), ' of conditions and unknowns several modes can follow: which one is not determined.') : '',
      open ? el('p', {}, 'For ', link(open), ' of conditions and unknowns it was not decided whether exactly one mode follows.') : '',
    ];
    return el('div', { class: truncated || several || open ? 'notice warn' : 'notice good' }, words, ...follows, warnings.length ? el('p', {}, `Worth a look: `, code(warnings[0].message), warnings.length > 1 ? `, and ${plural(warnings.length - 1, 'more warning')}.` : '.') : '');
  }
  const first = errors[0];
  return el(
    'div',
    { class: 'notice bad verdict' },
    el('p', {}, el('b', {}, 'Rejected. '), code(capital(first.message)), '. ', messagePlace(first)),
    culprit(first),
    first.fixes.length ? fixView(first.fixes[0]) : '',
    errors.length > 1 ? el('p', { class: 'muted' }, `${plural(errors.length - 1, 'more error')} below.`) : '',
  );
}

/** What the first error is about: a loop, a singular mode, a change. */
function culprit(error) {
  const loop = data.loops.find((item) => item.status === STATUS_OF[error.code] && item.cycle.length > 1);
  if (loop) {
    const values = loop.witness ? el('p', {}, code(capital(loop.witness)), '.') : '';
    return el('figure', { class: 'culprit' }, values, cyclePicture(loop), el('figcaption', { class: 'muted' }, 'Each arrow leads from what is wanted to what it needs first; following them leads back to the start. All of it is under ', el('a', { href: '#loops' }, 'loops'), '.'));
  }
  const singular = data.groups.flatMap((group) => (group.classes || []).filter((item) => item.kind === 'singular'));
  if (error.code.startsWith('MS40') && singular.length) {
    const item = singular[0];
    return el(
      'div',
      { class: 'culprit' },
      el('p', {}, el('span', { class: 'kind singular' }, 'singular'), ' where ', foldedFormula(item.when), ': ', el('a', { href: '#modes' }, 'all such modes')),
      item.over && item.over.equations.length ? el('div', {}, el('p', { class: 'muted' }, 'One equation too many among these:'), ...item.over.equations.slice(0, 6).map((i) => equationLine(i))) : '',
      item.under && item.under.variables.length ? el('p', {}, 'Not determined: ', item.under.variables.slice(0, 12).map((i) => data.variables[i]).join(', ')) : '',
    );
  }
  if (error.code.startsWith('MS5')) return el('p', {}, el('a', { href: '#changes' }, 'The change with its restart system'));
  return '';
}

/** A cycle of conditions and unknowns, drawn as one. */
function cyclePicture(item) {
  const n = item.conditions.length;
  const nodes = item.cycle.map((i) => ({ text: i < n ? item.conditions[i] : item.unknowns[i - n], condition: i < n }));
  const words = nodes.map((node, i) => {
    const next = nodes[(i + 1) % nodes.length];
    return node.condition ? 'reads' : next.condition ? 'depends on' : 'needs';
  });
  const widths = nodes.map((node) => Math.max(44, 7.4 * Math.min(26, node.text.length) + 24));
  const widest = Math.max(...widths);
  const [rx, ry] = [Math.max(130, (nodes.length * (widest + 40)) / 6.3), nodes.length === 2 ? 0 : Math.max(70, nodes.length * 17)];
  const [width, height] = [2 * rx + widest + 24, 2 * ry + (nodes.length === 2 ? 84 : 64)];
  const at = (i) => {
    const angle = (2 * Math.PI * i) / nodes.length - (nodes.length === 2 ? Math.PI : Math.PI / 2);
    return { x: width / 2 + rx * Math.cos(angle), y: height / 2 + ry * Math.sin(angle), half: widths[i] / 2 };
  };
  const drawing = svg('svg', { class: 'graph fitted', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `A cycle: ${nodes.map((node, i) => `${node.text} ${words[i]}`).join(' ')} ${nodes[0].text}` });
  drawing.append(arrowHead('impulsive'));
  nodes.forEach((_, i) => {
    const [a, b] = [at(i), at((i + 1) % nodes.length)];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = Math.hypot(dx, dy) || 1;
    const bend = nodes.length === 2 ? 44 : 0;
    const middle = [(a.x + b.x) / 2 + (dy / length) * bend, (a.y + b.y) / 2 - (dx / length) * bend];
    const [start, control, end] = coordinates(border(a, middle), middle, border(b, middle));
    drawing.append(svg('g', { class: 'edge impulsive' }, svg('path', { class: 'line', d: `M${start} Q${control} ${end}`, 'marker-end': 'url(#arrow-impulsive)' })));
    drawing.append(svg('text', { class: 'edge-label', x: (a.x + b.x + 2 * middle[0]) / 4, y: (a.y + b.y + 2 * middle[1]) / 4 + 3 }, words[i]));
  });
  nodes.forEach((node, i) => {
    const { x, y, half } = at(i);
    drawing.append(svg('g', { class: node.condition ? 'node singular' : 'node' }, svg('title', {}, node.text), svg('rect', { x: x - half, y: y - HALF, width: 2 * half, height: 2 * HALF, rx: node.condition ? HALF : 6 }), svg('text', { x, y: y + 4 }, cut(node.text, 26))));
  });
  return drawing;
}

/** A fix as the lines it takes away and the lines it puts there. */
function fixView(fix) {
  const lineOf = (file, number) => {
    const chunk = (data.files.find((f) => f.name === file) || { chunks: [] }).chunks.find((c) => number >= c.line && number < c.line + c.text.split('\n').length);
    return chunk ? chunk.text.split('\n')[number - chunk.line] : null;
  };
  const rows = [];
  const byLine = new Map();
  for (const edit of fix.edits) {
    const key = `${edit.file}:${edit.line}`;
    if (!byLine.has(key)) byLine.set(key, []);
    byLine.get(key).push(edit);
  }
  for (const edits of byLine.values()) {
    const { file, line } = edits[0];
    const old = lineOf(file, line);
    if (old === null || edits.some((edit) => edit.line !== edit.end_line)) return el('p', {}, el('b', {}, 'Fix: '), code(fix.title));
    let text = old;
    // Columns count characters.
    for (const edit of [...edits].reverse().sort((a, b) => b.column - a.column)) {
      const letters = [...text];
      text = letters.slice(0, edit.column - 1).join('') + edit.text + letters.slice(edit.end_column - 1).join('');
    }
    const kept = text.split('\n').includes(old);
    if (!kept) rows.push(['-', line, old]);
    for (const added of text.split('\n')) if (added !== old) rows.push(['+', kept ? '' : line, added]);
  }
  const row = ([sign, line, text]) => el('div', { class: sign === '+' ? 'added' : 'removed' }, el('span', { class: 'number', 'aria-hidden': 'true' }, String(line)), el('span', {}, sign), el('code', {}, text));
  return el('div', { class: 'fix' }, el('p', {}, el('b', {}, 'Fix: '), code(fix.title), ' ', el('span', { class: 'muted' }, '(', el('code', {}, 'modeshift check --fix'), ' applies it)')), el('div', { class: 'diff', role: 'group', 'aria-label': 'What the fix changes', tabindex: '0' }, rows.map(row)));
}
