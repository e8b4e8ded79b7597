// The incidence matrix of a mode in block triangular form. Only what is in view is drawn.

const CELL = 22;
const LONGEST = 38;
/** Characters of a column's name; a longer one is cut in its middle. */
const TALLEST = 20;

/** The mode of a structure in words: its true conditions. */
function modeText(bits) {
  const on = data.conditions.filter((condition, i) => bits[i] === '1' && !condition.auxiliary).map((c) => c.name);
  const relevant = data.conditions.filter((condition) => !condition.auxiliary).length;
  if (relevant === 0) return 'the only mode';
  if (on.length === 0) return 'no condition holds';
  const shown = on.slice(0, 8).join(', ');
  return on.length > 8 ? `${shown}, … (${on.length} hold)` : shown;
}

const leading = (index, order) => `${data.variables[index]}${'′'.repeat(Math.min(order, 3))}`;

function drawMatrix(structure) {
  const rows = structure.rows.length;
  const longest = structure.rows.reduce((most, row) => Math.max(most, data.equations[row].text.length), 8);
  const tallest = structure.columns.reduce((most, x, i) => Math.max(most, leading(x, structure.d[i] || 0).length), 1);
  const HEAD = Math.min(tallest, TALLEST) * 6.3 + 40;
  const LABEL = Math.min(longest, LONGEST) * 7.3 + 56;
  const columns = structure.columns.length;
  const byRow = Array.from({ length: rows }, () => []);
  for (let i = 0; i < structure.entries.length; i += 3) {
    byRow[structure.entries[i]].push([structure.entries[i + 1], structure.entries[i + 2]]);
  }
  const starts = [0];
  for (const size of structure.blocks) starts.push(starts[starts.length - 1] + size);
  const blockOf = new Array(rows).fill(-1);
  structure.blocks.forEach((size, b) => {
    for (let i = starts[b]; i < starts[b] + size; i += 1) blockOf[i] = b;
  });
  const picture = svg('svg', {
    class: 'matrix',
    role: 'img',
    'aria-label': `Incidence matrix with ${rows} equations and ${columns} variables in ${structure.blocks.length} blocks`,
  });
  const plate = el('div', { class: 'matrix-plate' }, picture);
  const frame = el('div', { class: 'matrix-frame', tabindex: '0', role: 'group', 'aria-label': 'Matrix; arrow keys move the cursor' }, plate);
  const detail = el('p', { class: 'matrix-detail', 'aria-live': 'polite' }, 'Point at a cell, or move with the arrow keys.');
  const width = LABEL + columns * CELL + 12;
  const height = HEAD + rows * CELL + 8;
  plate.style.width = `${width}px`;
  plate.style.height = `${height}px`;
  frame.style.maxHeight = `${Math.min(height + 18, 620)}px`;
  let cursor = null;
  let everything = false;

  const describe = (row, column) => {
    const equation = structure.rows[row];
    const entry = byRow[row].find(([c]) => c === column);
    detail.replaceChildren(
      math(data.equations[equation].text),
      entry
        ? ` contains ${'der('.repeat(entry[1])}${data.variables[structure.columns[column]]}${')'.repeat(entry[1])}`
        : ` does not contain ${data.variables[structure.columns[column]]}`,
      structure.matching[row] === column ? ', which it determines' : '',
      structure.c.length ? ` · c = ${structure.c[row]}, d = ${structure.d[column]}` : '',
      ' ',
      sourceLink(data.equations[equation].at),
    );
  };

  const draw = () => {
    const margin = 3;
    const top = everything ? 0 : Math.max(0, Math.floor((frame.scrollTop - HEAD) / CELL) - margin);
    const left = everything ? 0 : Math.max(0, Math.floor((frame.scrollLeft - LABEL) / CELL) - margin);
    const bottom = everything ? rows : Math.min(rows, Math.ceil((frame.scrollTop + frame.clientHeight) / CELL) + margin);
    const right = everything ? columns : Math.min(columns, Math.ceil((frame.scrollLeft + frame.clientWidth) / CELL) + margin);
    const viewX = everything ? 0 : frame.scrollLeft;
    const viewY = everything ? 0 : frame.scrollTop;
    const w = everything ? width : Math.min(width, frame.clientWidth || width);
    const h = everything ? height : Math.min(height, frame.clientHeight || height);
    picture.setAttribute('width', w);
    picture.setAttribute('height', h);
    picture.setAttribute('viewBox', `${viewX} ${viewY} ${w} ${h}`);
    const shapes = [];
    structure.blocks.forEach((size, b) => {
      const start = starts[b];
      if (start > bottom || start + size < top || start > right || start + size < left) return;
      shapes.push(svg('rect', { class: size > 1 ? 'block large' : 'block', x: LABEL + start * CELL, y: HEAD + start * CELL, width: size * CELL, height: size * CELL, rx: 3 }));
    });
    for (let row = top; row < bottom; row += 1) {
      for (const [column, order] of byRow[row]) {
        if (column < left || column >= right) continue;
        const x = LABEL + column * CELL;
        const y = HEAD + row * CELL;
        const matched = structure.matching[row] === column;
        const tight = structure.c.length === 0 || structure.d[column] - structure.c[row] === order;
        shapes.push(svg('rect', { class: `entry${matched ? ' matched' : tight ? ' tight' : ''}`, x: x + 3, y: y + 3, width: CELL - 6, height: CELL - 6, rx: 4 }));
        if (order > 0) shapes.push(svg('text', { class: matched ? 'order on' : 'order', x: x + CELL / 2, y: y + CELL / 2 + 4 }, '′'.repeat(Math.min(order, 3))));
      }
    }
    if (cursor) shapes.push(svg('rect', { class: 'cursor', x: LABEL + cursor[1] * CELL + 0.5, y: HEAD + cursor[0] * CELL + 0.5, width: CELL - 1, height: CELL - 1, rx: 4 }));
    // Labels stay in view: they are drawn last, on a ground of their own.
    const labelX = viewX;
    shapes.push(svg('rect', { class: 'ground', x: labelX, y: viewY, width: LABEL - 4, height: h }));
    for (let row = top; row < bottom; row += 1) {
      const y = HEAD + row * CELL + CELL / 2 + 4;
      const text = data.equations[structure.rows[row]].text;
      const shown = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
      const label = svg('text', { class: 'row-label', x: labelX + LABEL - 40, y }, svg('title', {}, text), shown);
      label.addEventListener('click', () => data.equations[structure.rows[row]].at && showSource(data.equations[structure.rows[row]].at, frame));
      shapes.push(label);
      if (structure.c.length) shapes.push(svg('text', { class: structure.c[row] > 0 ? 'offset up' : 'offset', x: labelX + LABEL - 16, y }, String(structure.c[row])));
    }
    shapes.push(svg('rect', { class: 'ground', x: viewX, y: viewY, width: w, height: HEAD - 4 }));
    for (let column = left; column < right; column += 1) {
      const x = LABEL + column * CELL + CELL / 2 + 4;
      const name = leading(structure.columns[column], structure.d[column] || 0);
      const shown = name.length > TALLEST ? `${name.slice(0, TALLEST / 2 - 2)}…${name.slice(-TALLEST / 2 - 1)}` : name;
      shapes.push(svg('text', { class: 'column-label', transform: `translate(${x} ${viewY + HEAD - 26}) rotate(-60)` }, svg('title', {}, name), shown));
      if (structure.d.length) shapes.push(svg('text', { class: structure.d[column] > 0 ? 'offset up' : 'offset', x: x - 4, y: viewY + HEAD - 9 }, String(structure.d[column])));
    }
    shapes.push(svg('rect', { class: 'ground', x: viewX, y: viewY, width: LABEL - 4, height: HEAD - 4 }));
    shapes.push(svg('text', { class: 'axis', x: labelX + LABEL - 16, y: viewY + HEAD - 9, 'text-anchor': 'middle' }, structure.c.length ? 'c ╲ d' : ''));
    picture.replaceChildren(...shapes);
  };

  const cellAt = (event) => {
    const box = frame.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left + frame.scrollLeft - LABEL) / CELL);
    const row = Math.floor((event.clientY - box.top + frame.scrollTop - HEAD) / CELL);
    return row >= 0 && row < rows && column >= 0 && column < columns ? [row, column] : null;
  };
  frame.addEventListener('click', (event) => {
    const cell = cellAt(event);
    if (!cell) return;
    cursor = cell;
    describe(...cell);
    draw();
  });
  frame.addEventListener('mousemove', (event) => {
    const cell = cellAt(event);
    if (cell) describe(...cell);
  });
  frame.addEventListener('keydown', (event) => {
    const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (!step || rows === 0 || columns === 0) return;
    event.preventDefault();
    const [row, column] = cursor || [0, 0];
    cursor = cursor ? [Math.max(0, Math.min(rows - 1, row + step[0])), Math.max(0, Math.min(columns - 1, column + step[1]))] : [0, 0];
    const x = LABEL + cursor[1] * CELL;
    const y = HEAD + cursor[0] * CELL;
    if (x < frame.scrollLeft + LABEL) frame.scrollLeft = x - LABEL;
    if (x + CELL > frame.scrollLeft + frame.clientWidth) frame.scrollLeft = x + CELL - frame.clientWidth;
    if (y < frame.scrollTop + HEAD) frame.scrollTop = y - HEAD;
    if (y + CELL > frame.scrollTop + frame.clientHeight) frame.scrollTop = y + CELL - frame.clientHeight;
    describe(...cursor);
    draw();
  });
  frame.addEventListener('scroll', draw, { passive: true });
  new ResizeObserver(draw).observe(frame);
  window.addEventListener('beforeprint', () => {
    everything = rows <= 80;
    draw();
  });
  window.addEventListener('afterprint', () => {
    everything = false;
    draw();
  });
  return [frame, detail, blockList(structure, starts)];
}

/** The blocks as text: what is solved for what, in order. */
function blockList(structure, starts) {
  if (structure.blocks.length === 0) return '';
  const body = el('div', { class: 'blocks' });
  const blocks = structure.blocks.map((size, b) => [b, size]);
  const render = ([b, size]) => {
    const range = Array.from({ length: size }, (_, i) => starts[b] + i);
    const names = range.map((i) => leading(structure.columns[i], structure.d[i]));
    return el(
      'details',
      { class: 'block-item' },
      el('summary', {}, el('span', { class: 'muted' }, `${b + 1}. `), `${names.slice(0, 6).join(', ')}${names.length > 6 ? ', …' : ''}`, size > 1 ? el('span', { class: 'muted' }, ` (${size} together)`) : ''),
      ...range.slice(0, 200).map((i) => equationLine(structure.rows[i], structure.c[i] > 0 ? el('span', { class: 'chip' }, `differentiated ${structure.c[i]}×`) : '')),
    );
  };
  paged(blocks, 25, render, body);
  return el('details', { class: 'fold' }, el('summary', {}, `Order of solving: ${plural(blocks.length, 'block')}`), body);
}

/** Shows the structure with this number, of a class called `title`. */
function showStructure(index, title) {
  const body = byId('structure-body');
  const structure = data.structures[index];
  if (!structure) {
    body.replaceChildren(el('p', { class: 'notice' }, 'The matrix of this mode was left out because the report would become too large. `modeshift modes --mode` shows single modes.'));
    return;
  }
  const latent = structure.rows.map((row, i) => [row, structure.c[i] || 0]).filter(([, c]) => c > 0);
  const singular = structure.c.length === 0;
  body.replaceChildren(
    el('p', {}, el('strong', {}, foldedFormula(title)), ' — drawn for the mode: ', el('span', { class: 'mono' }, modeText(structure.mode))),
    el(
      'div',
      { class: 'legend', 'aria-hidden': 'true' },
      el('span', {}, el('i', { class: 'swatch matched' }), 'matched'),
      el('span', {}, el('i', { class: 'swatch tight' }), 'leading'),
      el('span', {}, el('i', { class: 'swatch entry' }), 'other occurrence'),
      el('span', {}, '′ derivative'),
      singular ? '' : el('span', {}, 'c how often differentiated, d leading order'),
    ),
    singular ? el('p', { class: 'notice bad' }, 'This mode is structurally singular: the last rows or columns have no partner.') : '',
    ...drawMatrix(structure),
    singular
      ? ''
      : el(
          'details',
          { class: 'fold', open: latent.length > 0 && latent.length <= 12 },
          el('summary', {}, latent.length ? `Latent equations: ${plural(latent.reduce((sum, [, c]) => sum + c, 0), 'derivative')}` : 'No latent equations: nothing is differentiated'),
          paged(
            latent.flatMap(([row, c]) => Array.from({ length: c }, (_, k) => [row, k + 1])),
            40,
            ([row, k]) => el('div', { class: 'equation' }, math(`${k === 1 ? 'd/dt' : `d^${k}/dt^${k}`} of ${data.equations[row].text}`), sourceLink(data.equations[row].at)),
            el('div', {}),
          ),
        ),
  );
}
