// Graphs that were laid out when the page was made: nodes in layers, edges between them, labels on the edges.

/** Draws a picture. `visible` tells which edges are drawn, `chooseEdge` and `chooseNode` what happens when one is
 * chosen; without them a picture is only looked at. */
function drawPicture(picture, name, { visible = () => true, chooseEdge = null, chooseNode = null, titleOf = (edge) => edge.title } = {}) {
  const { width, height } = picture;
  const fitted = width <= 1150 ? 'graph fitted' : 'graph';
  const drawing = svg('svg', { class: fitted, width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': name });
  for (const style of new Set(picture.edges.map((edge) => edge.style))) drawing.append(arrowHead(style));
  picture.edges.forEach((edge, i) => {
    if (!visible(edge)) return;
    const { path, label } = picture.layout[i];
    const title = titleOf(edge);
    const chosen = chooseEdge && edge.shows !== null;
    const node = svg('g', { class: `edge ${edge.style}`, tabindex: chosen ? '0' : null, role: chosen ? 'button' : null, 'data-class': edge.shows, 'aria-label': chosen ? title : null }, svg('title', {}, title), svg('path', { class: 'hit', d: path }), svg('path', { class: 'line', d: path, 'marker-end': `url(#arrow-${edge.style})` }));
    if (label) {
      const half = edge.label.length * 3.1 + 3;
      node.append(svg('rect', { class: 'behind-label', x: label[0] - half, y: label[1] - 7, width: 2 * half, height: 14 }), svg('text', { class: 'edge-label', x: label[0], y: label[1] + 3.5 }, edge.label));
    }
    if (chosen) press(node, () => chooseEdge(edge));
    drawing.append(node);
  });
  picture.nodes.forEach((node, i) => {
    const [x, y] = picture.places[i];
    const chosen = chooseNode && node.stands_for !== null;
    const drawn = svg(
      'g',
      { class: `node ${node.tone}`, tabindex: chosen ? '0' : null, role: chosen ? 'button' : null, 'aria-label': chosen ? node.title : null },
      svg('title', {}, node.title),
      svg('rect', { x: x - node.width / 2, y: y - 16, width: node.width, height: 32, rx: node.round ? 16 : 7 }),
      svg('text', { x, y: y + 4 }, node.label),
    );
    if (chosen) press(drawn, () => chooseNode(node));
    drawing.append(drawn);
  });
  roving(drawing, '.node[tabindex]');
  return drawing;
}
