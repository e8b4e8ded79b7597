// The table of modes: one row for each class, sorted and filtered.

const RANK = { singular: 0, transient: 1, regular: 2 };
let chosenRow = null;

function modesSection() {
  const body = byId('modes-body');
  const input = el('input', {
    id: 'mode-filter',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: conditionNames.length > 1 ? `${shortest(0)} and not ${shortest(1)}` : shortest(0) || 'formula',
    'aria-describedby': 'mode-filter-note',
  });
  const note = el('p', { id: 'mode-filter-note', class: 'muted', 'aria-live': 'polite' });
  const tables = data.groups.map((group, i) => groupTable(group, i));
  body.append(
    conditionTable(),
    el('div', { class: 'bar' }, el('label', { for: 'mode-filter' }, 'Only modes with'), input),
    note,
    ...tables.map((table) => table.node),
  );
  const apply = () => {
    let formula = null;
    input.removeAttribute('aria-invalid');
    if (input.value.trim()) {
      try {
        formula = parseFormula(input.value);
      } catch (error) {
        input.setAttribute('aria-invalid', 'true');
        note.textContent = `The formula cannot be read: ${error.message}. Words: and, or, not, brackets.`;
        return;
      }
    }
    const shown = tables.flatMap((table) => table.filter(formula));
    const open = shown.filter((row) => row.matching === undefined).length;
    const found = `${plural(shown.length - open, 'class', 'classes')} with modes in which ${input.value.trim()}`;
    note.textContent = !formula ? 'A formula such as the one shown; conditions are named above.' : open ? `${found}; of ${open} more it is not known` : found;
  };
  input.addEventListener('input', apply);
  apply();
  const first = data.groups.findIndex((group) => group.classes && group.classes.length);
  if (first >= 0) tables[first].choose(0);
  else byId('structure-body').append(el('p', { class: 'notice' }, 'The modes are too entangled to be listed; see the messages above.'));
}

function shortest(n) {
  return data.conditions.filter((condition) => !condition.auxiliary).map((condition) => condition.name)[n] || '';
}

function conditionTable() {
  const list = data.conditions.filter((condition) => !condition.auxiliary);
  if (list.length === 0) return el('p', {}, 'The model has no conditions, so there is one mode.');
  const rows = paged(
    list,
    12,
    (condition) => el('div', { class: 'condition' }, el('code', {}, condition.name), condition.definition && condition.definition !== condition.name ? el('span', {}, ':= ', math(condition.definition)) : '', el('span', { class: 'muted' }, condition.reads), sourceLink(condition.at)),
    el('div', { class: 'conditions' }),
  );
  return el('details', { class: 'fold', open: list.length <= 8 }, el('summary', {}, plural(list.length, 'condition')), rows, data.care.length ? el('p', { class: 'muted' }, 'Always: ', data.care.slice(0, 20).map((text, i) => [i ? '; ' : '', formulaText(text)])) : '');
}

function groupTable(group, number) {
  const wrap = el('div', {});
  if (!group.classes) {
    wrap.append(el('p', { class: 'notice' }, `${group.title}: too entangled to be classified.`));
    return { node: wrap, filter: () => [], choose: () => {} };
  }
  const rows = group.classes.map((item, i) => ({ item, i, matching: null }));
  const heads = [
    ['modes with', (r) => r.item.when],
    ['modes', (r) => BigInt(r.item.count)],
    ['kind', (r) => RANK[r.item.kind]],
    ['index', (r) => (r.item.index === null ? -1 : r.item.index)],
    ['degrees of freedom', (r) => (r.item.freedom === null ? -1 : r.item.freedom)],
  ];
  let sort = { column: -1, up: true };
  let limit = 50;
  const tbody = el('tbody', {});
  const headers = heads.map(([title], column) => {
    const button = el('button', { type: 'button', class: 'sort' }, title, el('span', { 'aria-hidden': 'true' }));
    button.addEventListener('click', () => {
      sort = { column, up: sort.column === column ? !sort.up : true };
      render();
    });
    return el('th', { scope: 'col', class: column === 0 ? null : 'n' }, button);
  });
  const more = el('button', { type: 'button', class: 'quiet more' });
  more.addEventListener('click', () => {
    limit += 200;
    render();
  });
  const render = () => {
    let list = rows.filter((row) => row.matching !== 0n);
    if (sort.column >= 0) {
      const key = heads[sort.column][1];
      list = [...list].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.i - b.i) * (sort.up ? 1 : -1));
    }
    headers.forEach((head, column) => {
      head.setAttribute('aria-sort', sort.column !== column ? 'none' : sort.up ? 'ascending' : 'descending');
      head.querySelector('span').textContent = sort.column !== column ? '' : sort.up ? ' ▲' : ' ▼';
    });
    tbody.replaceChildren(...list.slice(0, limit).map(renderRow));
    more.hidden = list.length <= limit;
    more.textContent = `${plural(list.length - limit, 'more class', 'more classes')}…`;
  };
  const choose = (row) => {
    if (row.tr) {
      if (chosenRow) chosenRow.removeAttribute('aria-selected');
      chosenRow = row.tr;
      row.tr.setAttribute('aria-selected', 'true');
    }
    showStructure(row.item.structure, row.item.when);
  };
  const renderRow = (row) => {
    const { item } = row;
    const tr = el(
      'tr',
      { tabindex: '0', class: item.kind },
      el('td', {}, foldedFormula(item.when), row.matching === undefined ? el('span', { class: 'chip' }, 'not known') : row.matching === true ? el('span', { class: 'chip' }, 'some') : '', modeList(row, group)),
      el('td', { class: 'n' }, typeof row.matching === 'bigint' && row.matching < BigInt(item.count) ? [count(row.matching), ' of '] : '', count(item.count)),
      el('td', { class: 'n' }, el('span', { class: `kind ${item.kind}` }, item.kind)),
      el('td', { class: 'n' }, item.index === null ? '–' : String(item.index)),
      el('td', { class: 'n' }, item.freedom === null ? '–' : String(item.freedom)),
    );
    row.tr = tr;
    tr.addEventListener('click', (event) => {
      if (!event.target.closest('details, button')) choose(row);
    });
    tr.addEventListener('keydown', (event) => {
      if ((event.key === 'Enter' || event.key === ' ') && event.target === tr) {
        event.preventDefault();
        choose(row);
        byId('structure').scrollIntoView({ behavior: 'smooth' });
      }
    });
    return tr;
  };
  const table = el('table', { class: 'modes' }, el('caption', { class: number === 0 ? 'first' : null }, group.title, el('span', { class: 'muted' }, ` · ${plural(group.equations, 'equation')}, ${plural(group.conditions.length, 'condition')}`)), el('thead', {}, el('tr', {}, headers)), tbody);
  roving(table, 'tbody tr');
  wrap.append(number > 2 ? el('details', { class: 'fold' }, el('summary', {}, `${group.title}: ${plural(group.classes.length, 'class', 'classes')}`), table, more) : el('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': group.title }, table, more));
  render();
  return {
    node: wrap,
    choose: (i) => choose(rows[i]),
    filter: (formula) => {
      const matching = formula && matcher(group, formula);
      for (const row of rows) row.matching = formula ? matching(row.item) : null;
      wrap.hidden = Boolean(formula) && rows.every((row) => row.matching === 0n);
      render();
      return rows.filter((row) => row.matching !== 0n);
    },
  };
}

function modeList(row, group) {
  const { item } = row;
  if (item.kind === 'singular' && (item.over || item.under)) {
    return el(
      'details',
      { class: 'why' },
      el('summary', {}, 'why'),
      item.over && item.over.equations.length ? el('div', {}, el('p', {}, 'One too many of these equations:'), ...item.over.equations.slice(0, 100).map((i) => equationLine(i))) : '',
      item.under && item.under.variables.length ? el('p', {}, 'Not determined: ', item.under.variables.slice(0, 100).map((i) => data.variables[i]).join(', ')) : '',
    );
  }
  if (item.modes.length < 2) return '';
  const details = el('details', { class: 'why' }, el('summary', {}, 'list'));
  details.addEventListener('toggle', () => {
    if (!details.open || details.childElementCount > 1) return;
    const list = el('div', { class: 'mode-list' });
    paged(item.modes, 60, (bits) => el('code', {}, group.conditions.filter((_, i) => bits[i] === '1').map((i) => conditionNames[i]).join(' ') || 'none'), list);
    details.append(list);
  });
  return details;
}
