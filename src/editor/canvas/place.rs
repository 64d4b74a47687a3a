//! Where nodes lie: a column of blocks, and value nodes to the left of what they feed.

use std::collections::BTreeMap;

use egui::{Pos2, Rect, pos2};

use super::model::{Model, NodeModel};
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::{Document, Edit};
use crate::graph::Flow;

/// Room between a block and the next.
pub const GAP: f32 = 22.0;
/// Room between columns.
pub const COLUMN: f32 = 56.0;

/// Places the nodes that have no place of their own: blocks under the one before, value nodes to the left of
/// what they feed.
pub fn unplaced(model: &mut Model, flow: &Flow) {
    let mut below: Option<Rect> = None;
    for node in model.nodes.iter_mut().filter(|node| node.block.is_some()) {
        if !node.placed {
            let corner = below.map_or(Pos2::ZERO, |rect| pos2(rect.left(), rect.bottom() + GAP));
            move_to(node, corner);
        }
        below = Some(node.rect);
    }
    if model.nodes.iter().all(|node| node.placed || node.block.is_some()) {
        return;
    }
    // Depth: how many wires from the chain.
    let mut depth: BTreeMap<Id, (usize, f32)> = BTreeMap::new();
    let blocks = model.nodes.iter().filter(|node| node.block.is_some());
    let mut open: Vec<(Id, usize, f32)> = blocks.map(|node| (node.id.clone(), 0, node.rect.top())).collect();
    let limit = model.nodes.len();
    while let Some((id, level, top)) = open.pop() {
        for (_, source) in flow.wires_into(&id) {
            let known = depth.get(&source.node).is_some_and(|(known, _)| *known > level);
            if !known && level < limit && flow.values.contains_key(&source.node) {
                depth.insert(source.node.clone(), (level + 1, top));
                open.push((source.node.clone(), level + 1, top));
            }
        }
    }
    let left = model
        .blocks()
        .map(|node| node.rect.left())
        .fold(f32::INFINITY, f32::min);
    let left = if left.is_finite() { left } else { 0.0 };
    let mut order: Vec<usize> = (0..model.nodes.len())
        .filter(|&i| !model.nodes[i].placed && model.nodes[i].block.is_none())
        .collect();
    let key = |node: &NodeModel| depth.get(&node.id).copied().unwrap_or((1, 0.0));
    order.sort_by(|&a, &b| {
        let ((da, ta), (db, tb)) = (key(&model.nodes[a]), key(&model.nodes[b]));
        (da, model.nodes[a].id.clone())
            .cmp(&(db, model.nodes[b].id.clone()))
            .then(ta.total_cmp(&tb))
    });
    order.sort_by(|&a, &b| {
        let ((da, ta), (db, tb)) = (key(&model.nodes[a]), key(&model.nodes[b]));
        da.cmp(&db).then(ta.total_cmp(&tb))
    });
    let mut bottoms: BTreeMap<usize, f32> = BTreeMap::new();
    for index in order {
        let (level, top) = key(&model.nodes[index]);
        let node = &mut model.nodes[index];
        let bottom = bottoms.entry(level).or_insert(f32::NEG_INFINITY);
        let y = top.max(*bottom + GAP);
        let x = left - level as f32 * (super::model::FIELD_WIDTH + COLUMN);
        move_to(node, pos2(x, y));
        *bottom = node.rect.bottom();
    }
}

fn move_to(node: &mut NodeModel, corner: Pos2) {
    node.rect = Rect::from_min_size(corner, node.rect.size());
}

/// A place for a new block behind the block of an index, or at the head of the chain.
#[must_use]
pub fn behind(model: &Model, index: Option<usize>) -> Pos2 {
    match index.and_then(|index| model.blocks().nth(index)) {
        Some(before) => pos2(before.rect.left(), before.rect.bottom() + GAP),
        None => model.blocks().next().map_or(Pos2::ZERO, |first| first.rect.min),
    }
}

/// Whether two nodes stand in one column.
fn same_column(a: Rect, b: Rect) -> bool {
    (a.left() - b.left()).abs() < a.width() * 0.5
}

/// The edit that moves blocks down so that none covers the next; none where none has to move.
///
/// `document` is as it will be; what blocks were moved by hand stay in their columns.
#[must_use]
pub fn settle(document: &Document, emitter: &Id, kind: FlowKind) -> Option<Edit> {
    let of = document.emitter(emitter)?;
    let model = Model::new(of, kind, document);
    let mut moved: Vec<(Id, [f32; 2])> = Vec::new();
    let mut above: Option<Rect> = None;
    for block in model.blocks() {
        let mut rect = block.rect;
        if let Some(above) = above
            && same_column(above, rect)
            && rect.top() < above.bottom() + GAP
        {
            rect = Rect::from_min_size(pos2(rect.left(), above.bottom() + GAP), rect.size());
        }
        if rect.min != block.rect.min {
            moved.push((block.id.clone(), rect.min.into()));
        }
        above = Some(rect);
    }
    (!moved.is_empty()).then(|| Edit::SetNodePositions {
        emitter: emitter.clone(),
        positions: moved,
    })
}

/// The edits that give the blocks' places to the blocks in their new order, after one was moved in the chain.
#[must_use]
pub fn reordered(before: &Model, order: &[Id]) -> Vec<(Id, [f32; 2])> {
    let places = before.blocks().map(|block| block.rect.min);
    let mut moved = Vec::new();
    let mut above: Option<Rect> = None;
    for (id, place) in order.iter().zip(places) {
        let Some(block) = before.node(id) else { continue };
        let mut rect = Rect::from_min_size(place, block.rect.size());
        if let Some(above) = above
            && same_column(above, rect)
        {
            // Blocks that were stacked stay stacked, without the gaps of the taller ones before.
            rect = Rect::from_min_size(pos2(rect.left(), above.bottom() + GAP), rect.size());
        }
        if rect.min != block.rect.min {
            moved.push((id.clone(), rect.min.into()));
        }
        above = Some(rect);
    }
    moved
}
