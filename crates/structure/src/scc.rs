//! Strongly connected components with an explicit stack.
//!
//! Tarjan ("Depth-first search and linear graph algorithms", 1972). petgraph's version recurses, and
//! a million equations in one chain would overflow the stack.

/// What stands at a position of a vertex's adjacency list.
pub(crate) enum Successor {
    Vertex(u32),
    /// Nothing here, but the list goes on.
    Gap,
    End,
}

/// The strongly connected components of the graph on `0..n`; an edge `v → w` puts the component of
/// `w` before (or at) that of `v`. Returns all vertices in that order, and the starts of the
/// components in it, with the end as the last start. O(vertices + edges).
pub(crate) fn strong_components(
    n: usize,
    roots: impl Iterator<Item = u32>,
    successor: impl Fn(u32, u32) -> Successor,
) -> (Vec<u32>, Vec<u32>) {
    const UNSEEN: u32 = u32::MAX;
    /// Vertices of finished components no longer pull down anybody's low link.
    const DONE: u32 = u32::MAX - 1;
    let mut low = vec![UNSEEN; n];
    let mut next = vec![0u32; n];
    let mut pending: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, u32)> = Vec::new();
    let mut order = Vec::new();
    let mut starts = vec![0];
    let mut visited = 0;
    for root in roots {
        if low[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(v) = enter.take() {
                low[v as usize] = visited;
                path.push((v, visited));
                pending.push(v);
                visited += 1;
            }
            let Some(&(v, number)) = path.last() else {
                break;
            };
            let position = next[v as usize];
            next[v as usize] += 1;
            match successor(v, position) {
                Successor::Gap => {}
                Successor::Vertex(w) => match low[w as usize] {
                    UNSEEN => enter = Some(w),
                    DONE => {}
                    // The low link of `w` is at most its number and belongs to a pending vertex: as
                    // good as the number.
                    link => low[v as usize] = low[v as usize].min(link),
                },
                Successor::End => {
                    path.pop();
                    let link = low[v as usize];
                    if link == number {
                        while let Some(w) = pending.pop() {
                            low[w as usize] = DONE;
                            order.push(w);
                            if w == v {
                                break;
                            }
                        }
                        starts.push(order.len() as u32);
                    } else if let Some(&(parent, _)) = path.last() {
                        low[parent as usize] = low[parent as usize].min(link);
                    }
                }
            }
        }
    }
    (order, starts)
}
