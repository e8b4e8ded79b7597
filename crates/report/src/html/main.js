// Putting the page together.

/** A button to where a message points. */
function messagePlace(diagnostic) {
  const label = diagnostic.labels.find((l) => l.primary) || diagnostic.labels[0];
  const file = label ? data.files.findIndex((f) => f.name === label.file) : -1;
  return file >= 0 ? sourceLink([file, label.line, label.column, label.end_line, label.end_column]) : '';
}

function message(diagnostic) {
  return el(
    'div',
    { class: `message ${diagnostic.severity}` },
    el('p', {}, el('b', {}, `${diagnostic.severity} ${diagnostic.code}: `), code(diagnostic.message), ' ', messagePlace(diagnostic)),
    diagnostic.notes.map((note) => el('p', { class: 'muted' }, code(note))),
  );
}

/** A text with `code` in it. */
function code(text) {
  return String(text).split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));
}

function summarySection() {
  const s = data.summary;
  const tile = (value, title, href) => el('a', { class: 'tile', href }, el('b', {}, value), el('span', {}, title));
  const list = messages();
  const tally = ['error', 'warning', 'note'].map((severity) => [severity, list.filter((d) => d.severity === severity).length]).filter(([, n]) => n);
  const classified = data.groups.length && data.groups.every((group) => group.classes);
  byId('summary-body').append(
    verdictCard(list),
    el(
      'div',
      { class: 'tiles' },
      tile(count(s.modes), `${s.modes === '1' ? 'mode' : 'modes'}${s.modes === null ? '' : classified ? ', all classified' : ', not all classified'}`, '#modes'),
      tile(s.conditions.toLocaleString('en'), s.conditions === 1 ? 'condition' : 'conditions', '#modes'),
      tile(s.equations.toLocaleString('en'), `${s.equations === 1 ? 'equation' : 'equations'}${s.conditions ? ', of all modes together' : ''}`, '#equations'),
      tile(s.unknowns.toLocaleString('en'), s.unknowns === 1 ? 'unknown' : 'unknowns', '#structure'),
      tile(s.parts.toLocaleString('en'), s.parts === 1 ? 'part' : 'independent parts', '#modes'),
      tile(s.changes.toLocaleString('en'), `${s.changes === 1 ? 'mode change' : 'mode changes'}${s.truncated ? ', a sample of more' : s.changes ? ', all analysed' : ''}`, '#changes'),
      s.modes_not_analysed ? tile(count(String(s.modes_not_analysed)), 'modes whose changes were not analysed', '#changes') : '',
      s.changes_not_analysed ? tile(count(String(s.changes_not_analysed)), 'changes not analysed, at most', '#changes') : '',
    ),
    list.length
      ? el('details', { class: 'fold', open: list.length <= 6 || data.verdict === 'rejected' }, el('summary', {}, tally.map(([severity, n]) => plural(n, severity)).join(', ')), paged(list, 12, message, el('div', {})))
      : '',
  );
}

function equationsSection() {
  const body = byId('equations-body');
  const list = data.equations.map((equation, i) => [equation, i]);
  const input = el('input', { id: 'equation-search', type: 'search', placeholder: 'variable, condition or component', autocomplete: 'off' });
  const found = el('div', {});
  const render = () => {
    const wanted = input.value.trim().toLowerCase();
    const matching = list.filter(([e]) => !wanted || `${e.text} ${e.when} ${e.component}`.toLowerCase().includes(wanted));
    found.replaceChildren(el('p', { class: 'muted', 'aria-live': 'polite' }, plural(matching.length, 'equation')));
    paged(matching, 40, ([equation, i]) => equationLine(i, el('span', {}, equation.when === 'true' ? '' : el('span', { class: 'chip' }, equation.kind === 'law' ? 'at ' : 'if ', formulaText(equation.when)))), found);
  };
  input.addEventListener('input', render);
  body.append(el('div', { class: 'bar' }, el('label', { for: 'equation-search' }, 'Find'), input), found);
  render();
}

/** The run of `modeshift report --simulate`. */
function simulationSection() {
  if (!data.simulation) {
    byId('simulation').remove();
    document.querySelector('nav a[href="#simulation"]').remove();
    return;
  }
  const { run, note } = data.simulation;
  const body = byId('simulation-body');
  if (note) body.append(el('p', { class: run ? 'muted' : 'notice bad' }, code(note)));
  if (run) drawRun(body, run, changeOf);
}

function theme() {
  const root = document.documentElement;
  byId('theme').addEventListener('click', () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  });
}

function navigation() {
  const links = [...document.querySelectorAll('nav a')];
  const sections = links.map((link) => byId(link.getAttribute('href').slice(1)));
  const mark = () => {
    const line = window.innerHeight / 3;
    let current = 0;
    sections.forEach((section, i) => {
      if (section.getBoundingClientRect().top < line) current = i;
    });
    links.forEach((link, i) => (i === current ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current')));
  };
  document.addEventListener('scroll', mark, { passive: true });
  mark();
}

/** Paper has no button for more: lists are unfolded, up to a length that one still wants to print. */
function printing() {
  window.addEventListener('beforeprint', () => {
    for (const more of document.querySelectorAll('main .more')) for (let i = 0; i < 8 && !more.hidden; i += 1) more.click();
  });
}

byId('model').textContent = byId('model').title = data.model;
const sampled = data.verdict === 'accepted' && data.summary.truncated;
byId('verdict').textContent = sampled ? 'accepted as far as analysed' : data.verdict;
byId('verdict').classList.add(sampled ? 'sampled' : data.verdict);
byId('footer').textContent = `Made by ${data.generator}. The theory is that of Benveniste, Caillaud, Malandain and Pouzet on multimode DAE systems; see the book for what the words mean.`;
byId('source-close').addEventListener('click', closeSource);
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeSource();
});
theme();
summarySection();
modesSection();
dependenciesSection();
loopsSection();
simulationSection();
changesSection();
equationsSection();
navigation();
printing();
