// Sets of modes as decision diagrams: which modes of a class satisfy a formula, however many there are.

/** Diagrams with equal nodes shared. 0 is the empty set, 1 all modes. Conditions with high numbers are on top. */
class Diagrams {
  constructor(limit) {
    this.limit = limit;
    this.nodes = [null, null];
    this.unique = new Map();
    this.both = new Map();
    this.imported = new Map([[0, 0], [1, 1]]);
  }

  node(condition, yes, no) {
    if (yes === no) return yes;
    const key = `${condition},${yes},${no}`;
    let found = this.unique.get(key);
    if (found === undefined) {
      if (this.nodes.length > this.limit) throw new Error('the formula is too large');
      found = this.nodes.push([condition, yes, no]) - 1;
      this.unique.set(key, found);
    }
    return found;
  }

  top(a) {
    return a < 2 ? -1 : this.nodes[a][0];
  }

  branch(a, condition) {
    return this.top(a) === condition ? [this.nodes[a][1], this.nodes[a][2]] : [a, a];
  }

  and(a, b) {
    if (a === 0 || b === 0) return 0;
    if (a === 1 || a === b) return b;
    if (b === 1) return a;
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    let found = this.both.get(key);
    if (found === undefined) {
      const condition = Math.max(this.top(a), this.top(b));
      const [ay, an] = this.branch(a, condition);
      const [by, bn] = this.branch(b, condition);
      found = this.node(condition, this.and(ay, by), this.and(an, bn));
      this.both.set(key, found);
    }
    return found;
  }

  not(a, done = new Map()) {
    if (a < 2) return 1 - a;
    let found = done.get(a);
    if (found === undefined) {
      const [condition, yes, no] = this.nodes[a];
      found = this.node(condition, this.not(yes, done), this.not(no, done));
      done.set(a, found);
    }
    return found;
  }

  or(a, b) {
    return this.not(this.and(this.not(a), this.not(b)));
  }

  formula(formula) {
    switch (formula.kind) {
      case 'const':
        return formula.value ? 1 : 0;
      case 'name':
        return this.node(formula.index, 1, 0);
      case 'not':
        return this.not(this.formula(formula.part));
      case 'and':
        return formula.parts.reduce((all, part) => this.and(all, this.formula(part)), 1);
      default:
        return formula.parts.reduce((all, part) => this.or(all, this.formula(part)), 0);
    }
  }

  /** What is left of `a` when conditions outside `kept` may be anything. */
  project(a, kept, done = new Map()) {
    if (a < 2) return a;
    let found = done.get(a);
    if (found === undefined) {
      const [condition, yes, no] = this.nodes[a];
      const [y, n] = [this.project(yes, kept, done), this.project(no, kept, done)];
      found = kept.has(condition) ? this.node(condition, y, n) : this.or(y, n);
      done.set(a, found);
    }
    return found;
  }

  /** A node of the embedded table, in which nodes come after those they lead to. */
  embedded(root) {
    for (let i = 2 + (this.imported.size - 2); i <= root; i += 1) {
      const [condition, yes, no] = data.diagrams.slice(3 * (i - 2), 3 * (i - 1));
      this.imported.set(i, this.node(condition, this.imported.get(yes), this.imported.get(no)));
    }
    return this.imported.get(root);
  }

  /** The modes in which one of `counts` of the conditions hold. */
  counted(conditions, counts) {
    const sorted = [...conditions].sort((a, b) => a - b);
    const wanted = new Set(counts);
    // From the bottom: `row[k]` are the modes in which, with `k` more above, a wanted number holds.
    let row = Array.from({ length: sorted.length + 1 }, (_, k) => (wanted.has(k) ? 1 : 0));
    sorted.forEach((condition) => {
      row = row.slice(0, -1).map((fails, k) => this.node(condition, row[k + 1], fails));
    });
    return row[0];
  }

  /** How many modes there are over the sorted `conditions`. */
  count(a, conditions) {
    const position = new Map(conditions.map((condition, i) => [condition, i]));
    const done = new Map([[0, 0n], [1, 1n]]);
    const level = (b) => (b < 2 ? -1 : position.get(this.nodes[b][0]));
    const below = (b) => {
      let found = done.get(b);
      if (found === undefined) {
        const [, yes, no] = this.nodes[b];
        const gap = (child) => below(child) << BigInt(level(b) - level(child) - 1);
        found = gap(yes) + gap(no);
        done.set(b, found);
      }
      return found;
    };
    return below(a) << BigInt(conditions.length - 1 - level(a));
  }
}

let diagrams = new Diagrams(400000);

/** For a formula, a function that tells how many modes of a class of `group` satisfy it: a number, or `true` where only
 * an example is known and satisfies it, or `undefined` where nothing is known. */
function matcher(group, formula) {
  const kept = new Set(group.conditions);
  const sorted = [...group.conditions].sort((a, b) => a - b);
  const position = new Map(group.conditions.map((condition, i) => [condition, i]));
  return ({ modes, members, structure }) => {
    if (!members) {
      // A condition that the group does not speak of may be either.
      const value = (bits) => (i) => (position.has(i) ? bits[position.get(i)] === '1' : undefined);
      return BigInt(modes.filter((bits) => evaluate(formula, value(bits)) !== false).length);
    }
    if (members !== 'example') {
      try {
        const wanted = diagrams.project(diagrams.formula(formula), kept);
        const all = members.node !== undefined ? diagrams.embedded(members.node) : diagrams.counted(members.counted.conditions, members.counted.counts);
        return diagrams.count(diagrams.and(all, wanted), sorted);
      } catch {
        diagrams = new Diagrams(400000);
      }
    }
    const example = structure === null ? null : data.structures[structure].mode;
    return example && evaluate(formula, (i) => example[i] === '1') ? true : undefined;
  };
}
