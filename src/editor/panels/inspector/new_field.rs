//! The row in which a field is declared, of particles or of the emitter.

use egui::{Id, Key, TextEdit, Ui, vec2};

use super::fields::TYPE;
use super::section::CARET;
use crate::document::Edit;
use crate::editor::action::{Action, Actions};
use crate::editor::panels::button;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::{FIELD, Look, ROW, centred};
use crate::editor::widgets::menu::{choice, icon_button};
use crate::editor::widgets::value::type_label;
use crate::layout::FieldType;

/// What the row declares.
pub(super) struct NewWords {
    /// As in "Add field".
    pub(super) what: &'static str,
    /// What adding it is good for.
    pub(super) tip: &'static str,
}

/// A field about to be declared.
#[derive(Debug, Clone)]
struct New {
    name: String,
    ty: FieldType,
}

/// Shows the row. `make` gives the edit for a name and a type, or says why there is none.
pub(super) fn new_row(
    ui: &mut Ui,
    id: Id,
    tokens: &Tokens,
    words: &NewWords,
    actions: &mut Actions,
    make: impl FnOnce(&str, FieldType) -> Result<Edit, String>,
) {
    let look = Look::panel(tokens);
    let mut made = ui.data(|data| data.get_temp::<New>(id)).unwrap_or(New {
        name: String::new(),
        ty: FieldType::Float,
    });
    ui.add_space(2.0);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let (rest, plus) = rect.split_left_right_at_x(rect.right() - ROW);
    let (name, ty) = rest.split_left_right_at_x(rest.right() - TYPE);
    let name = centred(name.with_min_x(name.left() + CARET), FIELD);
    let ty = centred(ty.with_min_x(ty.left() + 4.0).with_max_x(ty.right() - 2.0), FIELD);

    let text_id = id.with("name");
    let focused = ui.memory(|memory| memory.has_focus(text_id));
    let accent = focused.then_some(tokens.accent);
    look.field(ui.painter(), name, ui.rect_contains_pointer(name), accent);
    let hint = format!("New {}", words.what);
    let edit = TextEdit::singleline(&mut made.name)
        .id(text_id)
        .font(look.font(12.0))
        .frame(egui::Frame::NONE)
        .margin(egui::Margin::ZERO)
        .clip_text(true)
        .vertical_align(egui::Align::Center)
        .hint_text(egui::RichText::new(&hint).color(tokens.text_dim))
        .desired_width(f32::INFINITY);
    let response = ui.put(name.shrink2(vec2(5.0, 1.0)), edit);
    button::name(&response, &format!("{hint} · name"));
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));

    let (shown, title) = (type_label(made.ty), format!("{hint} · type"));
    let chosen = choice(ui, ty, id.with("type"), &look, &title, &shown, &super::types());
    if let Some(ty) = chosen.and_then(|name| FieldType::ALL.into_iter().find(|ty| ty.name() == name)) {
        made.ty = ty;
    }
    let title = format!("Add {}", words.what);
    let add = icon_button(ui, plus, id.with("add"), &look, icon::PLUS, &title);
    if add.clicked() || entered {
        let name = made.name.trim();
        match make(name, made.ty) {
            Ok(edit) => {
                actions.edit(&format!("{title} {name}"), edit);
                made.name.clear();
            }
            Err(sentence) => actions.push(Action::Say(sentence)),
        }
    }
    add.on_hover_text(words.tip);
    ui.data_mut(|data| data.insert_temp(id, made));
}
