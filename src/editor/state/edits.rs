//! Edits that commands make of the selection.

use std::collections::BTreeSet;

use super::EditorState;
use crate::artifact::Emission;
use crate::base::diag::FlowKind;
use crate::base::id::Id;
use crate::document::Edit;
use crate::editor::action::{Action, Actions, Selection};
use crate::editor::canvas::edits::{self, Target, bits};
use crate::graph::{Node, registry};

/// What a new emitter starts with, so that it is seen at once: kind and flow come from the library.
const STARTER: [&str; 6] = [
    "shape_point",
    "velocity_cone",
    "birth_lifetime",
    "birth_size",
    "move",
    "age",
];

impl EditorState {
    fn step(&mut self, label: &str, edits: Vec<Edit>) {
        self.carry_out(Action::Step {
            label: label.to_owned(),
            edits,
        });
    }

    /// Adds an emitter that already plays, and selects it.
    pub(in crate::editor) fn add_emitter(&mut self) {
        let document = self.document();
        let id = document.fresh_id("emitter", bits());
        let name = self.free_name("Emitter");
        let mut edits = vec![Edit::AddEmitter {
            id: id.clone(),
            name,
            index: None,
        }];
        for (at, kind) in STARTER.iter().enumerate() {
            let Some(kind) = registry().get(kind) else {
                continue;
            };
            let Some(&flow) = kind.flows.first() else { continue };
            let Ok(node) = Id::new(&kind.id) else { continue };
            edits.push(Edit::AddNode {
                emitter: id.clone(),
                flow,
                node: Box::new(Node::new(node, &kind.id)),
                index: None,
                position: [0.0, at as f32 * 120.0],
            });
        }
        edits.push(Edit::SetEmission {
            emitter: id.clone(),
            emission: Emission {
                rate: 50.0,
                ..Emission::default()
            },
        });
        self.step("Add emitter", edits);
        self.select(Selection {
            emitter: Some(id),
            ..Selection::default()
        });
    }

    /// Copies the selected emitter and selects the copy.
    pub(in crate::editor) fn duplicate_emitter(&mut self) {
        let Some(emitter) = self.emitter() else { return };
        let copy = self.document().fresh_id("emitter", bits());
        let edit = Edit::DuplicateEmitter {
            emitter: emitter.id().clone(),
            copy: copy.clone(),
            name: self.free_name(emitter.name()),
        };
        self.step("Duplicate emitter", vec![edit]);
        self.select(Selection {
            emitter: Some(copy),
            ..Selection::default()
        });
    }

    /// Removes the selected emitter and selects its neighbour.
    pub(in crate::editor) fn delete_emitter(&mut self) {
        let Some(index) = self.emitter_index() else { return };
        let emitters = self.document().emitters();
        let edit = Edit::RemoveEmitter {
            emitter: emitters[index].id().clone(),
        };
        let neighbour = if index + 1 < emitters.len() {
            Some(index + 1)
        } else {
            index.checked_sub(1)
        };
        let next = neighbour.map(|i| emitters[i].id().clone());
        self.step("Delete emitter", vec![edit]);
        self.select(Selection {
            emitter: next,
            ..Selection::default()
        });
    }

    /// Moves the selected emitter by `by` places.
    pub(in crate::editor) fn move_emitter(&mut self, by: isize) {
        let Some(index) = self.emitter_index() else { return };
        let edit = Edit::MoveEmitter {
            emitter: self.document().emitters()[index].id().clone(),
            index: index.saturating_add_signed(by),
        };
        self.step("Move emitter", vec![edit]);
    }

    /// Removes the selected nodes; chains close.
    pub(in crate::editor) fn delete_nodes(&mut self) {
        self.on_selection(edits::delete);
    }

    /// Switches the selected nodes off, or on where all are off.
    pub(in crate::editor) fn mute_nodes(&mut self) {
        self.on_selection(edits::mute);
    }

    /// Copies the selected nodes with their wires.
    pub(in crate::editor) fn duplicate_nodes(&mut self) {
        self.on_selection(edits::duplicate);
    }

    /// Makes the selected value nodes a group of the document.
    pub(in crate::editor) fn group_nodes(&mut self) {
        self.on_selection(edits::group);
    }

    /// Puts what is inside the selected groups in their place.
    pub(in crate::editor) fn ungroup_nodes(&mut self) {
        self.on_selection(edits::ungroup);
    }

    /// Does what the canvas does with the selected nodes of the flow that has them.
    fn on_selection(&mut self, make: impl Fn(Target<'_>, &BTreeSet<Id>, &mut Actions)) {
        let Some(emitter) = self.emitter() else { return };
        let mut actions = Actions::default();
        for flow in FlowKind::ALL {
            let here = |id: &&Id| emitter.flow_of(id) == Some(flow);
            let nodes: BTreeSet<Id> = self.selection.nodes.iter().filter(here).cloned().collect();
            if !nodes.is_empty() {
                let target = Target {
                    document: self.document(),
                    emitter: emitter.id(),
                    flow,
                };
                make(target, &nodes, &mut actions);
            }
        }
        for action in actions.take() {
            self.carry_out(action);
        }
    }

    /// Selects every node of the flow on the canvas.
    pub(in crate::editor) fn select_all(&mut self) {
        let Some(emitter) = self.emitter() else { return };
        let nodes = emitter.flow(self.flow).nodes().map(|n| n.id.clone()).collect();
        self.selection.nodes = nodes;
    }

    /// `name`, or `name 2`, `name 3`… where emitters have that name already.
    fn free_name(&self, name: &str) -> String {
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
        let stem = if stem.is_empty() { name } else { stem };
        let taken = |name: &str| self.document().emitters().iter().any(|e| e.name() == name);
        (1_u32..)
            .map(|n| match n {
                1 => stem.to_owned(),
                n => format!("{stem} {n}"),
            })
            .find(|name| !taken(name))
            .unwrap_or_else(|| stem.to_owned())
    }
}
