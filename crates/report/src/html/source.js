// The source text beside the report.

let sourceOpener = null;
const KEYWORDS =
  /^(model|block|class|connector|record|package|function|type|equation|algorithm|initial|if|then|else|elseif|end|when|elsewhen|for|loop|while|in|parameter|constant|discrete|input|output|flow|stream|extends|import|public|protected|final|each|replaceable|redeclare|inner|outer|partial|and|or|not|true|false|connect|der|pre|reinit|within|annotation|assert)$/;

/** One line of Modelica with comments, strings and words of the language marked. */
function highlight(line) {
  const pieces = [];
  const pattern = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?)|([A-Za-z_]\w*)|([^\w"/]+|.)/g;
  for (const [whole, comment, string, word] of line.matchAll(pattern)) {
    if (comment) pieces.push(el('span', { class: 'comment' }, whole));
    else if (string) pieces.push(el('span', { class: 'string' }, whole));
    else if (word && KEYWORDS.test(word)) pieces.push(el('span', { class: 'word' }, whole));
    else pieces.push(whole);
  }
  return pieces;
}

/** Shows the place [file, line, column, end line, end column]. */
function showSource(at, opener) {
  const [file, first, , last] = at;
  const panel = byId('source');
  const body = byId('source-text');
  sourceOpener = opener || null;
  byId('source-name').textContent = `${data.files[file].name}:${first}`;
  body.replaceChildren();
  let target = null;
  for (const [i, chunk] of data.files[file].chunks.entries()) {
    if (i > 0) body.append(el('div', { class: 'gap' }, '⋯'));
    const lines = chunk.text.replace(/\n$/, '').split('\n');
    const near = lines.length > 4000 ? [first - 200, last + 200] : [0, Infinity];
    lines.forEach((line, k) => {
      const number = chunk.line + k;
      if (number < near[0] || number > near[1]) return;
      const marked = number >= first && number <= last;
      const row = el(
        'div',
        { class: marked ? 'line marked' : 'line' },
        el('span', { class: 'number', 'aria-hidden': 'true' }, String(number)),
        el('code', {}, ...highlight(line), line ? '' : '\u200b'),
      );
      if (marked && !target) target = row;
      body.append(row);
    });
  }
  panel.hidden = false;
  document.body.classList.add('with-source');
  if (target) body.scrollTop = target.offsetTop - body.clientHeight / 3;
  body.focus({ preventScroll: true });
}

function closeSource() {
  if (byId('source').hidden) return;
  byId('source').hidden = true;
  document.body.classList.remove('with-source');
  if (sourceOpener) sourceOpener.focus();
}

/** A button that shows where something is written. */
function sourceLink(at) {
  if (!at) return '';
  const name = data.files[at[0]].name.split(/[\\/]/).pop();
  const button = el('button', { type: 'button', class: 'place', title: `Show ${data.files[at[0]].name}, line ${at[1]}` }, `${name}:${at[1]}`);
  button.addEventListener('click', (event) => {
    event.stopPropagation();
    showSource(at, button);
  });
  return button;
}

/** An equation of the model with its place. */
function equationLine(index, extra) {
  const equation = data.equations[index];
  return el(
    'div',
    { class: 'equation' },
    math(equation.text),
    extra || '',
    equation.component ? el('span', { class: 'muted component' }, equation.component) : '',
    sourceLink(equation.at),
  );
}
