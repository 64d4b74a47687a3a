//! The palette: finding a node or block by words.

use std::sync::Arc;

use egui::{
    Align2, Area, Frame, Id, Key, Modifiers, Order, Pos2, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use crate::base::diag::FlowKind;
use crate::editor::theme::Tokens;
use crate::editor::widgets::Look;
use crate::graph::NodeKind;
use crate::graph::Registry;

/// Width of the palette.
pub const WIDTH: f32 = 340.0;
const LIST: f32 = 300.0;

/// An open palette.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// What is typed.
    pub query: String,
    /// Upper left corner on the screen.
    pub at: Pos2,
    chosen: usize,
    fresh: bool,
    moved: bool,
}

/// What became of the palette in a pass.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// It stays open.
    Open,
    /// It was closed without a choice.
    Closed,
    /// A kind was chosen.
    Picked(Arc<NodeKind>),
}

impl Palette {
    /// A palette at a place of the screen.
    #[must_use]
    pub fn new(at: Pos2) -> Self {
        Self {
            at,
            fresh: true,
            ..Self::default()
        }
    }

    /// Shows it, offering the kinds of a flow that `keep` keeps, and what is typed for also among the blocks of
    /// the other flow: nobody has to know which of the two a block belongs in.
    pub fn show(
        &mut self,
        ui: &Ui,
        id: Id,
        registry: &Registry,
        flow: FlowKind,
        tokens: &Tokens,
        keep: impl Fn(&NodeKind) -> bool,
    ) -> Outcome {
        let found: Vec<&Arc<NodeKind>> = registry
            .search(&self.query, Some(flow))
            .into_iter()
            .filter(|kind| keep(kind))
            .collect();
        let elsewhere: Vec<&Arc<NodeKind>> = match self.query.trim() {
            "" => Vec::new(),
            query => registry
                .search(query, None)
                .into_iter()
                .filter(|kind| kind.block && !kind.flows.contains(&flow) && keep(kind))
                .collect(),
        };
        let mut groups = grouped(&found);
        if let Some(other) = elsewhere.first().and_then(|kind| kind.flows.first()) {
            groups.push((elsewhere_title(*other), elsewhere.clone()));
        }
        let count = found.len() + elsewhere.len();
        let (mut up, mut down, mut enter, mut escape) = (0, 0, false, false);
        ui.input_mut(|input| {
            up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp);
            down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown);
            enter = input.consume_key(Modifiers::NONE, Key::Enter);
            escape = input.consume_key(Modifiers::NONE, Key::Escape);
        });
        if up + down > 0 && count > 0 {
            self.chosen = (self.chosen + down + count * up - up % count.max(1)) % count;
            self.moved = true;
        }
        self.chosen = self.chosen.min(count.saturating_sub(1));
        let order: Vec<&Arc<NodeKind>> = groups
            .iter()
            .flat_map(|(_, kinds)| kinds.iter().copied())
            .collect();
        if escape {
            return Outcome::Closed;
        }
        if enter && let Some(kind) = order.get(self.chosen) {
            return Outcome::Picked(Arc::clone(kind));
        }
        let mut picked = None;
        let frame = Frame::popup(ui.style())
            .fill(tokens.surface)
            .stroke(egui::Stroke::new(1.0, tokens.line))
            .inner_margin(8.0);
        let area = Area::new(id)
            .order(Order::Foreground)
            .fixed_pos(self.at)
            .constrain_to(ui.ctx().content_rect().shrink(4.0));
        let shown = area.show(ui.ctx(), |ui| {
            frame.show(ui, |ui| {
                ui.set_width(WIDTH);
                ui.spacing_mut().item_spacing = vec2(0.0, 4.0);
                self.field(ui, id, flow, tokens);
                picked = self.list(ui, tokens, &groups);
                describe(ui, tokens, order.get(self.chosen).map(|kind| kind.as_ref()));
            });
        });
        if let Some(kind) = picked {
            return Outcome::Picked(kind);
        }
        let outside = !self.fresh && shown.response.clicked_elsewhere();
        self.fresh = false;
        if outside { Outcome::Closed } else { Outcome::Open }
    }

    fn field(&mut self, ui: &mut Ui, id: Id, flow: FlowKind, tokens: &Tokens) {
        let field = id.with("search");
        let hint = format!("Search nodes for {}", flow.title());
        let edit = egui::TextEdit::singleline(&mut self.query)
            .id(field)
            .hint_text(hint)
            .margin(egui::Margin::symmetric(8, 5))
            .background_color(tokens.surface_low)
            .desired_width(WIDTH - 16.0);
        let response = ui.add(edit);
        ui.ctx()
            .accesskit_node_builder(field, |node| node.set_label("Search nodes"));
        if response.changed() {
            self.chosen = 0;
            self.moved = true;
        }
        if !response.has_focus() {
            response.request_focus();
        }
    }

    fn list(
        &mut self,
        ui: &mut Ui,
        tokens: &Tokens,
        groups: &[(&str, Vec<&Arc<NodeKind>>)],
    ) -> Option<Arc<NodeKind>> {
        let mut picked = None;
        let mut index = 0;
        let look = Look::panel(tokens);
        let scroll = egui::ScrollArea::vertical()
            .max_height(LIST)
            .min_scrolled_height(LIST)
            .auto_shrink([false, true]);
        scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if groups.is_empty() {
                ui.add_space(8.0);
                ui.colored_label(tokens.text_dim, "Nothing is called that. Try another word.");
                ui.add_space(8.0);
            }
            for (category, kinds) in groups {
                let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 22.0));
                let at = rect.left_bottom() + vec2(4.0, -3.0);
                ui.painter().text(
                    at,
                    Align2::LEFT_BOTTOM,
                    category,
                    look.font(11.0),
                    tokens.text_dim,
                );
                for kind in kinds {
                    if self.item(ui, &look, kind, index) {
                        picked = Some(Arc::clone(kind));
                    }
                    index += 1;
                }
            }
        });
        self.moved = false;
        picked
    }

    fn item(&mut self, ui: &mut Ui, look: &Look<'_>, kind: &NodeKind, index: usize) -> bool {
        let tokens = look.tokens;
        let (id, rect) = ui.allocate_space(vec2(ui.available_width(), 24.0));
        let response = ui.interact(rect, id, Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(
                WidgetType::SelectableLabel,
                true,
                index == self.chosen,
                &kind.title,
            )
        });
        let still = ui.input(|input| input.pointer.is_still());
        if response.hovered() && !still {
            self.chosen = index;
        }
        let chosen = index == self.chosen;
        if chosen {
            ui.painter()
                .rect_filled(rect, 3.0, tokens.selection.gamma_multiply(0.28));
            if self.moved {
                response.scroll_to_me(None);
            }
        }
        if ui.is_rect_visible(rect) {
            let dot = Rect::from_center_size(pos2(rect.left() + 11.0, rect.center().y), vec2(8.0, 8.0));
            let round = if kind.block { 2.0 } else { 4.0 };
            ui.painter()
                .rect_filled(dot, round, tokens.category(&kind.category));
            let at = pos2(rect.left() + 24.0, rect.center().y);
            let room = rect.width() - 90.0;
            look.text(
                ui.painter(),
                at,
                Align2::LEFT_CENTER,
                &kind.title,
                look.font(13.0),
                tokens.text,
                room,
            );
            let what = if kind.block { "block" } else { "value" };
            let at = rect.right_center() - vec2(8.0, 0.0);
            ui.painter()
                .text(at, Align2::RIGHT_CENTER, what, look.font(11.0), tokens.text_dim);
        }
        response.clicked()
    }
}

/// The heading over blocks of the other flow.
const fn elsewhere_title(flow: FlowKind) -> &'static str {
    match flow {
        FlowKind::Birth => "Goes to Birth",
        FlowKind::EveryFrame => "Goes to Every frame",
    }
}

/// Kinds by category, in the order of each category's best.
fn grouped<'a>(found: &[&'a Arc<NodeKind>]) -> Vec<(&'a str, Vec<&'a Arc<NodeKind>>)> {
    let mut groups: Vec<(&str, Vec<&Arc<NodeKind>>)> = Vec::new();
    for kind in found {
        match groups.iter_mut().find(|(category, _)| *category == kind.category) {
            Some((_, kinds)) => kinds.push(kind),
            None => groups.push((&kind.category, vec![kind])),
        }
    }
    groups
}

/// What the highlighted kind does, in a strip of fixed height.
fn describe(ui: &mut Ui, tokens: &Tokens, kind: Option<&NodeKind>) {
    let (_, line) = ui.allocate_space(vec2(ui.available_width(), 1.0));
    ui.painter().hline(
        line.x_range(),
        line.center().y,
        egui::Stroke::new(1.0, tokens.line),
    );
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 36.0));
    let text = kind.map_or("", |kind| kind.description.as_str());
    let look = Look::panel(tokens);
    let mut job = egui::text::LayoutJob::simple(
        text.to_owned(),
        look.font(12.0),
        tokens.text_dim,
        rect.width() - 8.0,
    );
    job.wrap.max_rows = 2;
    let galley = ui.painter().layout_job(job);
    ui.painter()
        .galley(rect.min + vec2(4.0, 2.0), galley, tokens.text_dim);
}
