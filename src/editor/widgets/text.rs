//! A line of text that is taken when its field is left, or refused with a sentence.

use egui::{Id, Rect, Ui};

use super::edited::Edited;
use super::look::Look;

/// A text to edit.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// The name for those who cannot see it.
    pub name: &'a str,
    /// The text as it is.
    pub value: &'a str,
    /// What an empty field shows, in grey.
    pub hint: &'a str,
    /// What it does, for the tooltip.
    pub doc: &'a str,
}

impl Text<'_> {
    /// Paints it into `rect` and says what happened. `check` says why a text is not taken; the old one then
    /// stays. Spaces around a text are no part of it.
    pub fn show_at(
        &self,
        ui: &mut Ui,
        rect: Rect,
        id: Id,
        look: &Look<'_>,
        check: impl Fn(&str) -> Result<(), String>,
    ) -> Edited<String> {
        let draft = id.with("draft");
        let focused = ui.memory(|memory| memory.has_focus(id));
        let mut text = ui
            .data(|data| data.get_temp::<String>(draft))
            .unwrap_or_else(|| self.value.to_owned());
        let verdict = |text: &str| match text.trim() {
            text if text == self.value => Ok(()),
            text => check(text),
        };
        let wrong = focused.then(|| verdict(&text).err()).flatten();
        let tokens = look.tokens;
        let outline = match (focused, &wrong) {
            (true, Some(_)) => Some(tokens.error),
            (true, None) => Some(tokens.accent),
            (false, _) => None,
        };
        look.field(ui.painter(), rect, ui.rect_contains_pointer(rect), outline);
        let edit = egui::TextEdit::singleline(&mut text)
            .id(id)
            .font(look.font(12.0))
            .frame(egui::Frame::NONE)
            .margin(egui::Margin::ZERO)
            .clip_text(true)
            .vertical_align(egui::Align::Center)
            .hint_text(egui::RichText::new(self.hint).color(tokens.text_dim))
            .desired_width(f32::INFINITY);
        let response = ui.put(rect.shrink2(egui::vec2(look.px(5.0), 1.0)), edit);
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_label(self.name));
        if response.gained_focus() && !ui.input(|input| input.pointer.any_down()) {
            select_all(ui, id, &text);
        }
        if let Some(sentence) = &wrong {
            response.show_tooltip_text(sentence.as_str());
        }
        if response.has_focus() {
            ui.data_mut(|data| data.insert_temp(draft, text));
            return Edited::default();
        }
        ui.data_mut(|data| data.remove_temp::<String>(draft));
        let left = response.lost_focus() && !ui.input(|i| i.key_pressed(egui::Key::Escape));
        if !self.doc.is_empty() {
            response.on_hover_text(self.doc);
        }
        if !left || text.trim() == self.value {
            return Edited::default();
        }
        match verdict(&text) {
            Ok(()) => Edited::whole(text.trim().to_owned()),
            Err(sentence) => Edited::refusal(sentence),
        }
    }
}

/// Selects all of a field's text, so that typing replaces it.
fn select_all(ui: &Ui, id: Id, text: &str) {
    let mut state = egui::TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(egui::text::CCursorRange::two(
        egui::text::CCursor::default(),
        egui::text::CCursor::new(text.chars().count()),
    )));
    state.store(ui.ctx(), id);
}
