// Boolean formulas over the model's conditions: `g1 and not (g2 or g3)`.

const conditionNames = data.conditions.map((condition) => condition.name);
// Longest first, so that a name is not cut off by another that begins it.
const namesByLength = conditionNames.map((name, i) => [name, i]).sort((a, b) => b[0].length - a[0].length);

/** Reads a formula. Gives {kind, …} or throws an Error with a message for people. */
function parseFormula(text) {
  let at = 0;
  const blank = () => {
    while (/\s/.test(text[at] || '')) at += 1;
  };
  const word = (...words) => {
    blank();
    const lower = text.slice(at).toLowerCase();
    for (const w of words) {
      const ends = !/\w/.test(w) || !/[\w.]/.test(lower[w.length] || '');
      if (lower.startsWith(w) && ends) {
        at += w.length;
        return true;
      }
    }
    return false;
  };
  const name = () => {
    blank();
    const rest = text.slice(at);
    for (const [candidate, index] of namesByLength) {
      const ends = !/[\w]$/.test(candidate) || !/[\w.]/.test(rest[candidate.length] || '');
      if (rest.startsWith(candidate) && ends) {
        at += candidate.length;
        return index;
      }
    }
    return -1;
  };
  const or = () => {
    const parts = [and()];
    while (word('or', '||', '|', '∨')) parts.push(and());
    return parts.length === 1 ? parts[0] : { kind: 'or', parts };
  };
  const and = () => {
    const parts = [not()];
    while (word('and', '&&', '&', '∧')) parts.push(not());
    return parts.length === 1 ? parts[0] : { kind: 'and', parts };
  };
  const not = () => (word('not', '!', '¬') ? { kind: 'not', part: not() } : atom());
  const atom = () => {
    // A name may begin with a bracket or a word of the language, so names come first.
    const index = name();
    if (index >= 0) {
      if (word('=true', '= true')) return { kind: 'name', index };
      if (word('=false', '= false')) return { kind: 'not', part: { kind: 'name', index } };
      return { kind: 'name', index };
    }
    if (word('(')) {
      const inside = or();
      if (!word(')')) throw new Error('a bracket is not closed');
      return inside;
    }
    if (word('true')) return { kind: 'const', value: true };
    if (word('false')) return { kind: 'const', value: false };
    const rest = text.slice(at).trim();
    if (!rest) throw new Error('something is missing at the end');
    throw new Error(`“${rest.split(/[\s()]/)[0] || rest[0]}” is no condition of this model`);
  };
  const formula = or();
  blank();
  if (at < text.length) throw new Error(`“${text.slice(at).trim()}” is one too many`);
  return formula;
}

/** Truth by three values: `value(index)` gives true, false or undefined. */
function evaluate(formula, value) {
  switch (formula.kind) {
    case 'const':
      return formula.value;
    case 'name':
      return value(formula.index);
    case 'not': {
      const inner = evaluate(formula.part, value);
      return inner === undefined ? undefined : !inner;
    }
    default: {
      const stop = formula.kind === 'or';
      let open = false;
      for (const part of formula.parts) {
        const inner = evaluate(part, value);
        if (inner === stop) return stop;
        if (inner === undefined) open = true;
      }
      return open ? undefined : !stop;
    }
  }
}
