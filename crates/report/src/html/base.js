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

/** 49152 → 49,152; numbers beyond 15 digits as a power of two where they are one. */
function count(value) {
  if (value === null) return 'not counted';
  const n = BigInt(value);
  if (n > 1000000n) {
    let power = 0;
    let rest = n;
    while (rest % 2n === 0n) {
      rest /= 2n;
      power += 1;
    }
    if (rest === 1n) return el('span', { title: n.toLocaleString('en') }, '2', el('sup', {}, String(power)));
  }
  return n.toLocaleString('en');
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
