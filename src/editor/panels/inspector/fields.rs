//! What each particle of an emitter carries: its fields, and how much of its record they take.

use egui::{Align2, Id, Sense, Ui, WidgetInfo, WidgetType, vec2};

use super::field::{fields, row};
use super::new_field::{NewWords, new_row};
use super::section::{CARET, section};
use crate::base::diag::FlowKind;
use crate::document::{Edit, Emitter};
use crate::editor::action::{Action, Actions};
use crate::editor::panels::button;
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::{FIELD, Look, ROW, centred};
use crate::editor::widgets::menu::icon_button;
use crate::editor::widgets::value::{four, lanes_of};
use crate::editor::widgets::{Text, ValueEditor};
use crate::graph::kind::{PortType, title_of};
use crate::graph::types::type_title;
use crate::graph::{FieldDecl, InputMode, Port, Registry};
use crate::isa::{FIRST_FIELD_WORD, RECORD_WORDS};
use crate::layout::{FieldType, ParticleLayout, StandardField};

/// Words of a record that fields can take.
const WORDS: u32 = RECORD_WORDS - FIRST_FIELD_WORD;
/// Width of a field's type in the list.
pub(super) const TYPE: f32 = 92.0;

/// Fields whose particles start with more than a number can say where no default is set, and what that is.
const LIVELY: [(&str, FieldType, &str); 2] = [
    ("position", FieldType::Vec3, "at the emitter"),
    ("additive", FieldType::Float, "as its blend says"),
];

pub(super) fn show(
    ui: &mut Ui,
    emitter: &Emitter,
    registry: &Registry,
    tokens: &Tokens,
    actions: &mut Actions,
) {
    let words: u32 = stored(emitter).map(|field| field.ty.width()).sum();
    let note = format!("{words} of {WORDS} words");
    section(ui, tokens, "Fields", &note, false, |ui| {
        for field in stored(emitter) {
            let line = Line {
                emitter,
                registry,
                field,
                tokens,
            };
            line.show(ui, actions);
        }
        new(ui, emitter, tokens, actions);
    });
}

fn stored(emitter: &Emitter) -> impl Iterator<Item = &FieldDecl> {
    emitter.fields().iter().filter(|field| !field.transient)
}

/// What cannot do without a field.
struct Need {
    /// The node's title.
    title: String,
    /// Whether it needs the field by its name; otherwise it was told to use it.
    by_kind: bool,
}

fn need(emitter: &Emitter, registry: &Registry, name: &str) -> Option<Need> {
    let needs = FlowKind::ALL.into_iter().flat_map(|flow| {
        let flow = emitter.flow(flow);
        flow.nodes().filter_map(move |node| {
            let kind = registry.get(&node.kind);
            let by_kind = kind.is_some_and(|kind| kind.fields.iter().any(|field| field.name == name));
            if !by_kind && node.text("field") != Some(name) {
                return None;
            }
            let given = flow
                .layout
                .nodes
                .get(&node.id)
                .and_then(|view| view.title.clone());
            let title = given.or_else(|| kind.map(|kind| kind.title.clone()));
            let title = title.unwrap_or_else(|| node.kind.clone());
            Some(Need { title, by_kind })
        })
    });
    // What needs a field by its name is the stronger reason.
    let mut found = None;
    for need in needs {
        if need.by_kind {
            return Some(need);
        }
        found = found.or(Some(need));
    }
    found
}

/// Why particles cannot have a field of that name.
fn check_name(emitter: &Emitter, name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("A field needs a name.".to_owned());
    }
    match emitter.field(name) {
        Some(_) => Err(format!(
            "The particles have a field {name} already. Choose another name."
        )),
        None => Ok(()),
    }
}

/// Why a field does not fit.
fn check_room(emitter: &Emitter, name: &str, ty: FieldType) -> Result<(), String> {
    let all = stored(emitter)
        .map(|f| (f.name.as_str(), f.ty))
        .chain([(name, ty)]);
    match ParticleLayout::pack(all) {
        Ok(_) => Ok(()),
        Err(_) => Err(format!(
            "A particle has {WORDS} words, and no {} of them side by side are free for a {}. Remove a field first.",
            ty.width(),
            type_title(ty)
        )),
    }
}

/// One field: its name and type, and unfolded what particles are born with.
struct Line<'a> {
    emitter: &'a Emitter,
    registry: &'a Registry,
    field: &'a FieldDecl,
    tokens: &'a Tokens,
}

impl Line<'_> {
    fn id(&self) -> Id {
        Id::new(("field", self.emitter.id(), &self.field.name))
    }

    fn name(&self, what: &str) -> String {
        format!("Field {} · {what}", self.field.name)
    }

    fn show(&self, ui: &mut Ui, actions: &mut Actions) {
        let (tokens, id) = (self.tokens, self.id());
        let look = Look::panel(tokens);
        let open_id = id.with("open");
        let open = ui.data(|data| data.get_temp::<bool>(open_id)).unwrap_or(false);
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let (caret, rest) = rect.split_left_right_at_x(rect.left() + CARET);
        let (rest, bin) = rest.split_left_right_at_x(rest.right() - ROW);
        let (name, ty) = rest.split_left_right_at_x(rest.right() - TYPE);

        let response = ui.interact(caret, id.with("caret"), Sense::click());
        let title = self.name("more");
        response.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, true, open, &title));
        if response.clicked() {
            ui.data_mut(|data| data.insert_temp(open_id, !open));
        }
        let color = if response.hovered() {
            tokens.text
        } else {
            tokens.text_dim
        };
        let glyph = if open { icon::CARET_DOWN } else { icon::CARET_RIGHT };
        let painter = ui.painter();
        painter.text(
            caret.left_center(),
            Align2::LEFT_CENTER,
            glyph,
            look.font(11.0),
            color,
        );
        response.on_hover_text("What particles are born with");

        let need = need(self.emitter, self.registry, &self.field.name);
        match &need {
            Some(need) if need.by_kind => self.fixed(ui, name, need),
            _ => self.rename(ui, name, actions),
        }
        let words = self.field.ty.width();
        let text = format!("{} · {words}", type_title(self.field.ty));
        let at = ty.left_center() + vec2(6.0, 0.0);
        let font = look.font(11.5);
        let width = TYPE - 8.0;
        look.text(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            &text,
            font,
            tokens.text_dim,
            width,
        );
        let hover = ui.interact(ty, id.with("type"), Sense::hover());
        let plural = if words == 1 { "word" } else { "words" };
        hover.on_hover_text(format!(
            "A {} takes {words} {plural} of the record",
            type_title(self.field.ty)
        ));
        self.remove(ui, bin, need.as_ref(), actions);
        if open {
            self.default(ui, actions);
        }
    }

    /// The name of a field that a block needs by it.
    fn fixed(&self, ui: &Ui, rect: egui::Rect, need: &Need) {
        let look = Look::panel(self.tokens);
        let text = title_of(&self.field.name);
        let at = rect.left_center() + vec2(5.0, 0.0);
        let (font, width) = (look.font(12.0), rect.width() - 6.0);
        look.text(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            &text,
            font,
            self.tokens.text,
            width,
        );
        let response = ui.interact(rect, self.id().with("fixed"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, self.name("name")));
        let doc = StandardField::by_name(&self.field.name).map_or("", |standard| standard.doc);
        let tip = format!("{doc} {} needs it by this name.", need.title);
        response.on_hover_text(tip.trim_start());
    }

    fn rename(&self, ui: &mut Ui, rect: egui::Rect, actions: &mut Actions) {
        let title = self.name("name");
        let text = Text {
            name: &title,
            value: &self.field.name,
            hint: "Name",
            doc: "Nodes that name it follow",
        };
        let check = |name: &str| check_name(self.emitter, name);
        let (rect, look) = (centred(rect, FIELD), Look::panel(self.tokens));
        let edited = text.show_at(ui, rect, self.id().with("name"), &look, check);
        edited.send(actions, &format!("Rename field {}", self.field.name), |to| {
            vec![Edit::RenameField {
                emitter: self.emitter.id().clone(),
                name: self.field.name.clone(),
                to,
            }]
        });
    }

    fn remove(&self, ui: &Ui, rect: egui::Rect, need: Option<&Need>, actions: &mut Actions) {
        let look = Look::panel(self.tokens);
        let why = need.map(|need| {
            let field = title_of(&self.field.name);
            if need.by_kind {
                format!("{} needs {field}. Remove that block first.", need.title)
            } else {
                format!("{} names {field}. Choose another field there first.", need.title)
            }
        });
        let name = self.name("remove");
        let bin = icon_button(ui, rect, self.id().with("remove"), &look, icon::TRASH, &name);
        if why.is_some() && !bin.hovered() {
            // It says why not on a click, and steps back until then.
            let ground = self.tokens.surface.gamma_multiply(0.6);
            ui.painter().rect_filled(rect, 0.0, ground);
        }
        if bin.clicked() {
            match &why {
                Some(why) => actions.push(Action::Say(why.clone())),
                None => actions.edit(
                    &format!("Remove field {}", self.field.name),
                    Edit::RemoveField {
                        emitter: self.emitter.id().clone(),
                        name: self.field.name.clone(),
                    },
                ),
            }
        }
        bin.on_hover_text(why.as_deref().unwrap_or("Removes the field"));
    }

    fn set_default(&self, default: Option<[f32; 4]>) -> Edit {
        Edit::SetFieldDefault {
            emitter: self.emitter.id().clone(),
            name: self.field.name.clone(),
            default,
        }
    }

    fn default(&self, ui: &mut Ui, actions: &mut Actions) {
        let field = self.field;
        let standard = StandardField::by_name(&field.name);
        let usual = standard.map_or([0.0; 4], |standard| standard.default);
        let lively = LIVELY
            .iter()
            .find(|(name, ty, _)| *name == field.name && *ty == field.ty);
        let label = format!("Change default of field {}", field.name);
        let tip = "What particles are born with where no block sets it";
        row(ui, self.tokens, "      default", tip, |ui| {
            if let (Some((_, _, text)), None) = (lively, field.default) {
                ui.label(egui::RichText::new(*text).color(self.tokens.text_dim));
                let set = ui.button("Set");
                button::name(&set, &self.name("set default"));
                if set.on_hover_text("Gives it a default of its own").clicked() {
                    actions.edit(&label, self.set_default(Some(usual)));
                }
                return;
            }
            let look = Look::panel(self.tokens);
            let own = field.default.is_some();
            let rect = fields(ui, if own { ROW + 4.0 } else { 0.0 });
            let port = Port {
                unit: standard.map_or("", |standard| standard.unit).to_owned(),
                ..Port::new("default", PortType::Of(field.ty), InputMode::value(0.0)).doc(tip)
            };
            let name = self.name("default");
            let editor = ValueEditor {
                name: &name,
                port: &port,
                ty: field.ty,
                unit: true,
                default: Some(lanes_of(field.ty, usual)),
            };
            let value = lanes_of(field.ty, field.default.unwrap_or(usual));
            let id = self.id().with("default");
            let edited = editor.show_at(ui, rect, id, &look, value);
            edited.send(actions, &label, |value| {
                vec![self.set_default(Some(four(field.ty, value)))]
            });
            if own {
                let glyph = icon::ARROW_COUNTER_CLOCKWISE;
                let back = button::icon(ui, glyph, &self.name("usual default"), "Back to the usual", true);
                if back.clicked() {
                    actions.edit(&label, self.set_default(None));
                }
            }
        });
    }
}

/// The row in which a field is declared.
fn new(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    let id = Id::new(("new field", emitter.id()));
    let words = NewWords {
        what: "field",
        tip: "Adds the field, which nodes can then read and set",
    };
    new_row(ui, id, tokens, &words, actions, |name, ty| {
        check_name(emitter, name)?;
        check_room(emitter, name, ty)?;
        Ok(Edit::AddField {
            emitter: emitter.id().clone(),
            field: FieldDecl::new(name, ty),
        })
    });
}
