//! Where an emitter's particles live and how they are drawn.

use egui::{ComboBox, Ui};

use super::field::{Number, row, title, vector};
use crate::artifact::{Blend, RenderSettings, Space};
use crate::document::{Edit, Emitter};
use crate::editor::action::Actions;
use crate::editor::panels::button;
use crate::editor::theme::Tokens;

const SPACES: [(Space, &str); 2] = [(Space::World, "World"), (Space::Local, "Emitter")];
const BLENDS: [(Blend, &str); 3] = [
    (Blend::Alpha, "Alpha"),
    (Blend::Additive, "Additive"),
    (Blend::Premultiplied, "Premultiplied"),
];

pub(super) fn show(ui: &mut Ui, emitter: &Emitter, tokens: &Tokens, actions: &mut Actions) {
    title(ui, "Drawing");
    let render = |change: &dyn Fn(&mut RenderSettings)| {
        let mut render = *emitter.render();
        change(&mut render);
        Edit::SetRender {
            emitter: emitter.id().clone(),
            render,
        }
    };
    let tip = "How colour meets what is behind: covering it, adding light to it, or already mixed";
    choice(
        ui,
        tokens,
        "Blend",
        tip,
        emitter.render().blend,
        &BLENDS,
        |blend| {
            actions.edit("Change blend", render(&|r| r.blend = blend));
        },
    );

    title(ui, "Place");
    let tip = "World: particles stay where they are when the effect moves. Emitter: they move with it";
    choice(ui, tokens, "Space", tip, emitter.space(), &SPACES, |space| {
        let edit = Edit::SetSpace {
            emitter: emitter.id().clone(),
            space,
        };
        actions.edit("Change space", edit);
    });
    let spec = Number::new(
        "Position",
        "",
        "Where the emitter stands in the effect, in metres",
    )
    .default(0.0);
    let transform = emitter.transform();
    vector(ui, tokens, spec, transform[3], actions, |lane, value| {
        let mut transform = *transform;
        transform[3][lane] = value;
        Edit::SetTransform {
            emitter: emitter.id().clone(),
            transform,
        }
    });
}

fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    tokens: &Tokens,
    name: &str,
    tip: &str,
    current: T,
    choices: &[(T, &str)],
    chosen: impl FnOnce(T),
) {
    let mut pick = None;
    row(ui, tokens, name, tip, |ui| {
        let text = choices
            .iter()
            .find(|(c, _)| *c == current)
            .map_or("", |(_, text)| text);
        let response = ComboBox::from_id_salt(name)
            .selected_text(text)
            .width((ui.available_width() - 4.0).max(64.0))
            .show_ui(ui, |ui| {
                for (choice, text) in choices {
                    if ui.selectable_label(*choice == current, *text).clicked() {
                        pick = Some(*choice);
                    }
                }
            })
            .response;
        button::name(&response, name);
        response.on_hover_text(tip);
    });
    if let Some(pick) = pick.filter(|pick| *pick != current) {
        chosen(pick);
    }
}
