// Elements, numbers and the data.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

/** An element: el('td', {class: 'n'}, 'text', child). Functions named on… become listeners. */
function el(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ''));
  return node;
}

/** 49152 → 49,152; large numbers near a power of two as that power, others with their first digits. */
function count(value) {
  if (value === null) return 'not counted';
  const n = BigInt(value);
  const whole = n.toLocaleString('en');
  if (n <= 1000000n) return whole;
  const power = n.toString(2).length;
  for (const [exponent, rest] of [[power - 1, n - (1n << BigInt(power - 1))], [power, n - (1n << BigInt(power))]]) {
    if (rest > -10n && rest < 10n) return el('span', { title: whole }, '2', el('sup', {}, String(exponent)), rest === 0n ? '' : rest > 0n ? ` + ${rest}` : ` − ${-rest}`);
  }
  if (n < 1000000000000n) return whole;
  const digits = String(n);
  return el('span', { title: whole }, `${digits[0]}.${digits.slice(1, 3)} · 10`, el('sup', {}, String(digits.length - 1)));
}

const plural = (n, word, words) => `${Number(n).toLocaleString('en')} ${n === 1 ? word : words || word + 's'}`;

/** Calls `action` on click, and on Enter or the space bar. */
function press(node, action) {
  node.addEventListener('click', action);
  node.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      action(event);
    }
  });
  return node;
}

/** Arrow keys, Home and End move the focus among `selector` inside `root`. */
function roving(root, selector) {
  root.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || event.target.matches('input, select')) return;
    const items = [...root.querySelectorAll(selector)];
    const at = items.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    items[Math.max(0, Math.min(items.length - 1, at + step))].focus();
  });
}

/** A list that shows `size` items and a button for more. */
function paged(items, size, render, container) {
  let shown = 0;
  const more = el('button', { type: 'button', class: 'quiet more' });
  const grow = () => {
    const part = items.slice(shown, shown + size);
    shown += part.length;
    more.before(...part.map(render));
    more.hidden = shown >= items.length;
    more.textContent = `${plural(items.length - shown, 'more', 'more')}…`;
  };
  container.append(more);
  more.addEventListener('click', grow);
  grow();
  return container;
}
