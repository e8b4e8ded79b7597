// Opens reports and plots in a headless Chromium and uses them: no errors, clicks, keys, filter, dark and light, print,
// phone, and what axe finds that keeps people out.
//
//   node test.mjs [--shots DIR] REPORT.html… (a plot is a page whose name begins with `plot-`)
//
// CHROMIUM names the browser, /usr/bin/chromium otherwise.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const args = process.argv.slice(2);
const at = args.indexOf('--shots');
const shots = at >= 0 ? args.splice(at, 2)[1] : null;
if (shots) mkdirSync(shots, { recursive: true });
const profile = mkdtempSync(join(tmpdir(), 'modeshift-report-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  viewport: { width: 1400, height: 900 },
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Nothing that axe calls serious, on a desktop and on a phone, where the page is no wider than the screen and the
 * header is one line. */
async function readable(page, name, scheme) {
  for (const [width, height] of [[1400, 900], [390, 844]]) {
    await page.setViewportSize({ width, height });
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      // One rule compares names with visible words; here these are formulas, cut where they are long.
      const { violations } = await globalThis.axe.run({ rules: { 'label-content-name-mismatch': { enabled: false } } });
      return violations.filter((it) => ['serious', 'critical'].includes(it.impact)).map((it) => `${it.id}: ${it.nodes[0].html.slice(0, 200)}`);
    });
    assert.deepEqual(found, [], `${name} ${scheme} at ${width} pixels`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${name} is wider than ${width} pixels`);
    assert.ok(await page.evaluate(() => document.querySelector('.top').offsetHeight <= 60), `the header of ${name} is more than one line at ${width} pixels`);
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    if (shots) await page.screenshot({ path: join(shots, `${name}-${scheme}-${width}.png`) });
  }
  await page.setViewportSize({ width: 1400, height: 900 });
}

/** A new page, and what it complains about. */
async function open(file, scheme) {
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && complaints.push(m.text()));
  page.on('pageerror', (error) => complaints.push(error.stack));
  page.on('request', (request) => !request.url().startsWith('file:') && complaints.push(`asked for ${request.url()}`));
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto(pathToFileURL(resolve(file)).href);
  return { page, complaints, name: basename(file, '.html') };
}

/** A plot: signals are hidden and shown, a stretch of time is enlarged by mouse and by keyboard. */
async function usePlot(file, scheme) {
  const { page, complaints, name } = await open(file, scheme);
  const lines = page.locator('.plot .signal');
  await lines.first().waitFor({ state: 'attached' });
  const all = await lines.count();
  await page.locator('.series input').first().click();
  assert.equal(await lines.count(), all - 1);
  await page.locator('.series input').first().click();
  assert.equal(await lines.count(), all);
  const status = page.locator('p[aria-live]');
  const whole = await status.textContent();
  const box = await page.locator('.plot').first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height / 2, { steps: 4 });
  assert.match(await page.locator('.series output').first().textContent(), /= /);
  await page.mouse.up();
  await page.mouse.move(5, 5);
  assert.match(await status.textContent(), /, of /);
  await page.locator('.plot-frame').first().focus();
  await page.keyboard.press('0');
  assert.equal(await status.textContent(), whole);
  await page.keyboard.press('+');
  assert.match(await status.textContent(), /, of /);
  await page.keyboard.press('0');
  if (await page.locator('summary').count()) {
    await page.locator('summary').click();
    assert.ok((await page.locator('.event-row').count()) > 0);
    await page.locator('summary').click();
  }
  await readable(page, name, scheme);
  assert.deepEqual(complaints, []);
  await page.close();
  console.log(`${name} ${scheme}: all well`);
}

/** What filters must leave of single reports: formula, then by the words of a class how many of its modes. */
const FILTERS = {
  'gearbox-12': [
    ['engaged[1] and engaged[2] and not engaged[3]', { 'exactly 11 of the 12': '1 of 12', 'exactly 10 of the 12': '9 of 66', 'exactly 1 of the 12': null }],
    ['engaged[1] or not engaged[1]', { 'exactly 11 of the 12': '12', 'none of the 12': '1' }],
  ],
  'star-20': [['on[1] and on[2] and not on[3]', { 'exactly 18 of the 20': '17 of 190', 'all of the 20': null }]],
  'gearbox-66': [['engaged[1] and engaged[2] and not engaged[3]', { 'exactly 64 of the 66': '63 of 2,145', 'none of the 66': null }]],
  rldc2: [['g1 and not g2', { 'g1 and not g2 or not g1 and g2': '1 of 2', 'g1 and g2 or not g1 and not g2': null }]],
};

async function filters(page, name) {
  for (const [formula, classes] of FILTERS[name] || []) {
    await page.locator('#mode-filter').fill(formula);
    const rows = page.locator('table.modes').first().locator('tbody tr');
    const shown = await rows.evaluateAll((list) => list.map((row) => [row.querySelector('.formula').textContent, row.cells[1].textContent]));
    for (const [words, modes] of Object.entries(classes)) {
      const found = shown.find(([text]) => text.startsWith(words));
      assert.equal(found ? found[1] : null, modes, `${name}: ${formula}: ${words}`);
    }
  }
  await page.locator('#mode-filter').fill('');
}

/** Nodes and labels of a graph stand apart from each other. */
async function apart(page, where) {
  const found = await page.locator(`${where} svg.graph`).evaluateAll((graphs) =>
    graphs.flatMap((graph) => {
      const boxes = [...graph.querySelectorAll('.node rect, .behind-label')].map((it) => it.getBoundingClientRect());
      const overlap = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
      return boxes.flatMap((a, i) => boxes.slice(0, i).filter((b) => overlap(a, b)).map((b) => `${a.left},${a.top} and ${b.left},${b.top}`));
    }),
  );
  assert.deepEqual(found, [], `${where} overlaps`);
}

/** The verdict comes first, in a sentence; of a rejected model with what is to blame and how to mend it. */
async function verdict(page, name) {
  const [word, first] = await page.evaluate(() => [document.getElementById('verdict').textContent, document.querySelector('#summary-body > .notice').innerText]);
  assert.ok(first.startsWith(word === 'rejected' ? 'Rejected.' : 'Accepted.'), `${word}: ${first}`);
  const tiles = await page.locator('.tile').allTextContents();
  assert.ok(tiles.some((text) => /all analysed|a sample of more/.test(text)) || tiles.some((text) => /^0mode changes/.test(text)), tiles.join('; '));
  if (name !== 'rldc2') return;
  assert.match(await page.locator('.culprit svg').getAttribute('aria-label'), /A cycle: g1 reads s1 depends on g1/);
  assert.equal(await page.locator('.diff .added').count(), 4);
  assert.equal(await page.locator('.diff .removed').count(), 2);
}

/** A run on the page: modes are bands, and an event leads to the change that it is. */
async function simulation(page, name, scheme) {
  if (!(await page.locator('#simulation').count())) return;
  assert.ok((await page.locator('#simulation .signal').count()) > 0);
  assert.ok((await page.locator('#simulation .band').count()) > 2);
  if (shots) await page.locator('#simulation').screenshot({ path: join(shots, `${name}-simulation-${scheme}.png`) });
  await page.locator('#simulation summary').click();
  const link = page.locator('#simulation .to-change').first();
  const words = await link.textContent();
  await link.click();
  assert.equal(await page.evaluate(() => document.activeElement.id), 'change-detail', words);
  await page.locator('#simulation summary').click();
}

async function use(file, scheme) {
  const started = Date.now();
  const { page, complaints, name } = await open(file, scheme);
  await page.waitForSelector('#equations-body .equation', { timeout: 30000 });
  const loaded = Date.now() - started;
  // The header would lie across pictures of sections.
  if (shots) await page.addStyleTag({ content: '.top { position: static }' });
  if (shots) await page.locator('#summary').screenshot({ path: join(shots, `${name}-summary-${scheme}.png`) });

  // The skip link is the first stop of the keyboard.
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');

  await verdict(page, name);
  await simulation(page, name, scheme);

  // Sorting: the arrow follows, and the values are in order.
  const indexHead = page.locator('table.modes').first().getByRole('button', { name: 'index' });
  await indexHead.click();
  const indices = await page.locator('table.modes').first().locator('tbody tr td:nth-child(4)').allTextContents();
  const numbers = indices.map((text) => (text === '–' ? -1 : Number(text)));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => a - b));

  // Filtering by a formula.
  const filter = page.locator('#mode-filter');
  const before = await page.locator('table.modes tbody tr').count();
  await filter.fill('false');
  assert.equal(await page.locator('table.modes tbody tr:visible').count(), 0);
  await filter.fill('(');
  assert.equal(await filter.getAttribute('aria-invalid'), 'true');
  const condition = await filter.getAttribute('placeholder');
  await filter.fill(condition.split(' and ')[0]);
  assert.equal(await filter.getAttribute('aria-invalid'), null);
  assert.ok((await page.locator('table.modes tbody tr').count()) <= before);
  await filter.fill('');
  assert.equal(await page.locator('table.modes tbody tr').count(), before);
  await filters(page, name);

  // A row chosen by keyboard shows its matrix; the cursor moves in it.
  const rows = page.locator('table.modes tbody tr');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('table.modes tr[aria-selected]').count(), 1);
  const frame = page.locator('.matrix-frame');
  if (await frame.count()) {
    // It is drawn in the next frame.
    await page.locator('.matrix .entry.matched').first().waitFor({ state: 'attached' });
    await frame.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.locator('.matrix .cursor').first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.matrix .cursor').count(), 1);
    assert.match(await page.locator('.matrix-detail').textContent(), /contain/);
    if (shots) {
      await page.locator('#structure').scrollIntoViewIfNeeded();
      await page.locator('#structure').screenshot({ path: join(shots, `${name}-structure-${scheme}.png`) });
    }
  }

  // Dependencies around an equation, and all of them in words.
  await apart(page, '#dependencies');
  if (await page.locator('#dependencies .node').count()) {
    const dependency = page.locator('#dependencies .node[tabindex]');
    if (await dependency.count()) {
      await dependency.first().focus();
      await page.keyboard.press('Enter');
    } else {
      const first = await page.locator('#dependency-names option').first().getAttribute('value');
      await page.locator('#dependency-search').fill(first);
    }
    assert.equal(await page.locator('#dependencies .node.chosen').count(), 1);
    assert.ok((await page.locator('#dependencies .edge-label').count()) > 0);
    await page.locator('#dependencies summary').click();
    assert.ok((await page.locator('.dependency').count()) > 1);
    await page.locator('#dependencies summary').click();
  }

  // A change chosen in the graph, then in the list.
  const edges = page.locator('.modes-graph g.edge');
  if (await edges.count()) {
    await edges.first().focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'change-detail');
    await page.locator('.change-item').last().click();
    assert.ok((await page.locator('#change-detail h3').textContent()).length > 0);
    await page.locator('.change-item').first().click();
    await apart(page, '.modes-graph');
    // Every variable that a change touches has its offset; those of impulses are not zero.
    const impulses = await page.evaluate(() => {
      const { changes } = JSON.parse(document.getElementById('data').textContent);
      return changes.classes.every((item) => item.impulsive.every(([variable, order]) => item.offsets.some(([text, mu]) => changes.texts[text] === variable && mu === order)));
    });
    assert.ok(impulses);
    if (shots) await page.locator('.modes-graph').screenshot({ path: join(shots, `${name}-graph-${scheme}.png`) });
    if (shots) await page.locator('#changes').screenshot({ path: join(shots, `${name}-changes-${scheme}.png`) });
    const chip = page.locator('.effect-chip').first();
    await chip.click();
    assert.equal(await chip.getAttribute('aria-pressed'), 'false');
    await chip.click();
  }

  // An equation leads to its source, Escape back.
  const place = page.locator('#equations .place').first();
  await place.click();
  assert.ok((await page.locator('#source .line.marked').count()) >= 1);
  if (shots) await page.screenshot({ path: join(shots, `${name}-source-${scheme}.png`) });
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#source').isVisible(), false);
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains('place')));

  // The other scheme at the press of a button.
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const first = await ground();
  await page.locator('#theme').click();
  assert.notEqual(await ground(), first);
  await page.locator('#theme').click();
  assert.equal(await ground(), first);

  // Searching equations.
  await page.locator('#equation-search').fill('no such equation');
  assert.equal(await page.locator('#equations-body .equation').count(), 0);
  await page.locator('#equation-search').fill('');

  // No value was printed that is an object or is not there.
  const words = await page.evaluate(() => document.getElementById('main').innerText);
  assert.doesNotMatch(words, /\[object|undefined,|NaN/);

  // In print nothing of the controls is left, and the page is no wider than the screen.
  await page.emulateMedia({ media: 'print', colorScheme: scheme });
  assert.equal(await page.locator('nav').isVisible(), false);
  await page.emulateMedia({ media: 'screen', colorScheme: scheme });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'the page is too wide');
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  assert.ok(nodes < 16000, `${nodes} elements are too many`);
  await readable(page, name, scheme);
  assert.deepEqual(complaints, []);
  await page.close();
  console.log(`${name} ${scheme}: loaded in ${loaded} ms, ${nodes} elements, all well`);
}

try {
  for (const file of args) for (const scheme of ['light', 'dark']) await (basename(file).startsWith('plot-') ? usePlot : use)(file, scheme);
} finally {
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}
