// Equations as readable mathematics.

const TOKEN = /([A-Za-z_][\w.]*(?:\[[\d,]+\])?|'(?:[^'\\]|\\.)*')([⁺⁻↓])?|(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|(<=|>=|<>|==|[-+*/^()=<>,])|(\s+)|(.)/gu;
const WORDS = new Set(['if', 'then', 'else', 'elseif', 'and', 'or', 'not', 'true', 'false', 'd', 'of']);
const SIGNS = { '-': '−', '*': '·', '<=': '≤', '>=': '≥', '<>': '≠' };

/** A text such as `j1*(w1⁺ - w1⁻) = t1↓` as elements. */
function math(text) {
  const out = el('span', { class: 'math' });
  const source = String(text);
  let rest = source;
  const words = /^Euler identity of /.exec(rest);
  if (words) {
    out.append(el('span', { class: 'word' }, words[0]));
    rest = rest.slice(words[0].length);
  }
  // d/dt of an equation comes first.
  const derivative = /^d(?:\^(\d+))?\/dt(?:\^\d+)? of /.exec(rest);
  if (derivative) {
    const order = derivative[1];
    out.append(el('span', { class: 'operator' }, 'd', order ? el('sup', {}, order) : '', '/dt', order ? el('sup', {}, order) : ''), ' ');
    rest = rest.slice(derivative[0].length);
  }
  const tokens = [...rest.matchAll(TOKEN)];
  for (let i = 0; i < tokens.length; i += 1) {
    const [whole, name, mark, number, sign, space] = tokens[i];
    if (name && name === 'der' && !mark && tokens[i + 1] && tokens[i + 1][0] === '(') {
      const used = derivativeAt(tokens, i, out);
      if (used) {
        i += used;
        continue;
      }
    }
    if (sign === '*' && !/^[\w('.]/.test(tokens[i + 1] ? tokens[i + 1][0] : '')) {
      // A star that nothing follows is no product but marks a value in between.
      out.append(el('sup', {}, '∗'));
    } else if (name) out.append(WORDS.has(name) ? el('span', { class: 'word' }, name) : symbol(name, mark));
    else if (number) out.append(number);
    else if (sign) {
      const text = SIGNS[sign] || sign;
      out.append(sign === '=' || /[<>]/.test(sign) ? ` ${text} `.replace(/ {2,}/g, ' ') : text);
    } else if (space) out.append(' ');
    else out.append(whole);
  }
  return out;
}

/** `der(x)`, nested: x with dots. Gives how many tokens were used besides the first. */
function derivativeAt(tokens, start, out) {
  let depth = 1;
  let i = start + 2;
  while (tokens[i] && tokens[i][1] === 'der' && tokens[i + 1] && tokens[i + 1][0] === '(') {
    depth += 1;
    i += 2;
  }
  const inner = tokens[i];
  if (!inner || !inner[1] || depth > 3) return 0;
  for (let k = 0; k < depth; k += 1) if (!tokens[i + 1 + k] || tokens[i + 1 + k][0] !== ')') return 0;
  let end = i + depth;
  let mark = inner[2];
  if (!mark && tokens[end + 1] && /^[⁺⁻↓]$/u.test(tokens[end + 1][0])) {
    end += 1;
    mark = tokens[end][0];
  }
  out.append(symbol(inner[1], mark, depth));
  return end - start;
}

/** A variable: digits at its end are an index, marks stand above. */
function symbol(name, mark, dots) {
  const parts = /^(.*?[A-Za-z_\]'])(\d+)$/.exec(name);
  const sup = { '⁺': '+', '⁻': '−', '↓': '↓' }[mark] || '';
  const primes = dots ? '′'.repeat(dots) : '';
  return el(
    'i',
    { title: dots ? `${'der('.repeat(dots)}${name}${')'.repeat(dots)}` : null },
    parts ? parts[1] : name,
    parts ? el('sub', {}, parts[2]) : '',
    primes,
    sup ? el('sup', { class: mark === '↓' ? 'impulse' : null }, sup) : '',
  );
}

/** A formula over conditions, its words set back; a long one is cut until it is asked for. */
function foldedFormula(text) {
  if (text.length <= 150) return formulaText(text);
  const rest = el('button', { type: 'button', class: 'quiet small' }, 'all of it');
  const out = el('span', {}, formulaText(`${text.slice(0, 120)} …`), ' ', rest);
  rest.addEventListener('click', () => out.replaceChildren(formulaText(text)));
  return out;
}

/** A formula over conditions, its words set back. */
function formulaText(text) {
  const out = el('span', { class: 'formula' });
  for (const part of String(text).split(/\b(not|and|or|true|false)\b/)) {
    out.append(/^(not|and|or|true|false)$/.test(part) ? el('span', { class: 'word' }, part) : part);
  }
  return out;
}
