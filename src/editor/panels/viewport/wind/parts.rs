//! The wind's parts as rows: the uniform wind, then short lists of gusts and vortices.

use egui::{Align2, Id, Rect, Ui, pos2, vec2};

use crate::editor::action::{Action, Actions};
use crate::editor::theme::{Tokens, icon};
use crate::editor::widgets::look::{FIELD, Look, ROW, centred, column};
use crate::editor::widgets::menu::icon_button;
use crate::editor::widgets::{Edited, Number};
use crate::vm::WindScene;
use crate::vm::wind::{Gust, MAX_WIND_PARTS, Vortex};

/// Fastest air that is asked for here, in metres a second on an axis: a storm, and the core of a tornado.
const STORM: f32 = 50.0;
const TORNADO: f32 = 100.0;
/// Farthest from the middle of the preview, and the longest length, in metres.
const FAR: f32 = 100.0;
/// Width of the rows' names.
const NAMES: f32 = 76.0;

/// One number of a part.
struct Spec<P> {
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
    range: (f32, f32),
    /// How many of what is shown make one of what is kept.
    shown: f32,
    of: fn(&mut P) -> &mut f32,
}

/// Three numbers of a part.
struct Axes<P> {
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
    range: f32,
    of: fn(&mut P) -> &mut [f32; 3],
}

const UNIFORM: Axes<WindScene> = Axes {
    name: "Everywhere",
    unit: "m/s",
    doc: "The wind that blows everywhere; 0 on all axes is still air",
    range: STORM,
    of: |wind| &mut wind.uniform,
};

const GUST_AXES: [Axes<Gust>; 1] = [Axes {
    name: "Direction",
    unit: "",
    doc: "Where the gust blows and travels to; its length does not matter",
    range: 1.0,
    of: |gust| &mut gust.direction,
}];

const GUST: [Spec<Gust>; 6] = [
    Spec {
        name: "Strength",
        unit: "m/s",
        doc: "Speed that it adds at its middle",
        range: (-STORM, STORM),
        shown: 1.0,
        of: |gust| &mut gust.strength,
    },
    Spec {
        name: "Travel",
        unit: "m/s",
        doc: "How fast the gust moves through the scene; 0 stands still",
        range: (-STORM, STORM),
        shown: 1.0,
        of: |gust| &mut gust.travel,
    },
    Spec {
        name: "Spacing",
        unit: "m",
        doc: "From one gust's middle to the next",
        range: (0.5, FAR),
        shown: 1.0,
        of: |gust| &mut gust.wavelength,
    },
    Spec {
        name: "Length",
        unit: "%",
        doc: "How much of the spacing blows: 100 swells and ebbs without a calm",
        range: (5.0, 100.0),
        shown: 100.0,
        of: |gust| &mut gust.length,
    },
    Spec {
        name: "Variation",
        unit: "%",
        doc: "How much weaker the weakest gust is",
        range: (0.0, 100.0),
        shown: 100.0,
        of: |gust| &mut gust.variation,
    },
    Spec {
        name: "Offset",
        unit: "%",
        doc: "How far the gusts are shifted along their way, as part of the spacing",
        range: (0.0, 100.0),
        shown: 100.0,
        of: |gust| &mut gust.phase,
    },
];

const VORTEX_AXES: [Axes<Vortex>; 2] = [
    Axes {
        name: "Centre",
        unit: "m",
        doc: "A place on the axis, in the middle of the height",
        range: FAR,
        of: |vortex| &mut vortex.centre,
    },
    Axes {
        name: "Axis",
        unit: "",
        doc: "What the air turns about; its length does not matter",
        range: 1.0,
        of: |vortex| &mut vortex.axis,
    },
];

const VORTEX: [Spec<Vortex>; 5] = [
    Spec {
        name: "Swirl",
        unit: "m/s",
        doc: "Speed round the axis at the radius, where it is fastest; negative turns the other way",
        range: (-TORNADO, TORNADO),
        shown: 1.0,
        of: |vortex| &mut vortex.swirl,
    },
    Spec {
        name: "Updraft",
        unit: "m/s",
        doc: "Speed along the axis in the middle",
        range: (-STORM, STORM),
        shown: 1.0,
        of: |vortex| &mut vortex.updraft,
    },
    Spec {
        name: "Radius",
        unit: "m",
        doc: "Radius of the core",
        range: (0.1, FAR),
        shown: 1.0,
        of: |vortex| &mut vortex.radius,
    },
    Spec {
        name: "Reach",
        unit: "m",
        doc: "From this distance on the air is still",
        range: (0.1, FAR),
        shown: 1.0,
        of: |vortex| &mut vortex.reach,
    },
    Spec {
        name: "Height",
        unit: "m",
        doc: "How high it is along its axis; 0 is without end",
        range: (0.0, FAR),
        shown: 1.0,
        of: |vortex| &mut vortex.height,
    },
];

/// Shows all rows; gives the wind that is asked for.
pub(super) fn show(
    ui: &mut Ui,
    wind: &WindScene,
    tokens: &Tokens,
    actions: &mut Actions,
) -> Option<WindScene> {
    let mut rows = Rows {
        id: Id::new("preview wind numbers"),
        look: Look::panel(tokens),
        wind,
        wanted: None,
        actions,
    };
    let defaults = WindScene::default();
    rows.axes(ui, &UNIFORM, "Wind", wind, &defaults, |wind| wind);
    let full = wind.gusts.len() + wind.vortices.len() >= MAX_WIND_PARTS;
    if rows.heading(ui, "Gusts", icon::PLUS, "Add gust", full) {
        rows.change(|wind| wind.gusts.push(Gust::default()));
    }
    for (index, gust) in wind.gusts.iter().enumerate() {
        let title = format!("Gust {}", index + 1);
        if rows.heading(
            ui,
            &title,
            icon::TRASH,
            &format!("Remove gust {}", index + 1),
            false,
        ) {
            rows.change(|wind| {
                wind.gusts.remove(index);
            });
        }
        let defaults = Gust::default();
        for axes in &GUST_AXES {
            rows.axes(ui, axes, &title, gust, &defaults, |wind| &mut wind.gusts[index]);
        }
        rows.numbers(ui, &GUST, &title, gust, &defaults, |wind| &mut wind.gusts[index]);
    }
    if rows.heading(ui, "Vortices", icon::PLUS, "Add vortex", full) {
        rows.change(|wind| wind.vortices.push(Vortex::default()));
    }
    for (index, vortex) in wind.vortices.iter().enumerate() {
        let title = format!("Vortex {}", index + 1);
        if rows.heading(
            ui,
            &title,
            icon::TRASH,
            &format!("Remove vortex {}", index + 1),
            false,
        ) {
            rows.change(|wind| {
                wind.vortices.remove(index);
            });
        }
        let defaults = Vortex::default();
        for axes in &VORTEX_AXES {
            rows.axes(ui, axes, &title, vortex, &defaults, |wind| {
                &mut wind.vortices[index]
            });
        }
        rows.numbers(ui, &VORTEX, &title, vortex, &defaults, |wind| {
            &mut wind.vortices[index]
        });
    }
    rows.wanted
}

struct Rows<'a> {
    id: Id,
    look: Look<'a>,
    wind: &'a WindScene,
    wanted: Option<WindScene>,
    actions: &'a mut Actions,
}

impl Rows<'_> {
    fn change(&mut self, change: impl FnOnce(&mut WindScene)) {
        let mut wind = self.wind.clone();
        change(&mut wind);
        self.wanted = Some(wind);
    }

    /// A title with a button at its end; whether that was clicked.
    fn heading(&self, ui: &mut Ui, title: &str, glyph: &str, name: &str, full: bool) -> bool {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let painter = ui.painter();
        let color = ui.visuals().strong_text_color();
        painter.text(
            rect.left_center(),
            Align2::LEFT_CENTER,
            title,
            self.look.font(12.5),
            color,
        );
        if full {
            return false;
        }
        let square = Rect::from_center_size(
            pos2(rect.right() - FIELD * 0.5 - 4.0, rect.center().y),
            vec2(FIELD, FIELD),
        );
        let button = icon_button(ui, square, self.id.with(name), &self.look, glyph, name);
        button.on_hover_text(name).clicked()
    }

    /// The place of a row's fields, its name painted before it.
    fn row(&self, ui: &mut Ui, name: &str) -> Rect {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
        let look = &self.look;
        let color = look.tokens.text_dim;
        let (at, font) = (rect.left_center(), look.font(11.5));
        look.text(
            ui.painter(),
            at,
            Align2::LEFT_CENTER,
            name,
            font,
            color,
            NAMES - 4.0,
        );
        let fields = Rect::from_min_max(pos2(rect.left() + NAMES, rect.top()), rect.max - vec2(4.0, 0.0));
        centred(fields, FIELD)
    }

    fn axes<P: Clone>(
        &mut self,
        ui: &mut Ui,
        axes: &Axes<P>,
        title: &str,
        part: &P,
        defaults: &P,
        find: impl Fn(&mut WindScene) -> &mut P,
    ) {
        let rect = self.row(ui, axes.name);
        let values = *(axes.of)(&mut part.clone());
        let usual = *(axes.of)(&mut defaults.clone());
        for (lane, letter) in ["x", "y", "z"].into_iter().enumerate() {
            // The uniform wind is the wind itself.
            let name = match title {
                "Wind" => format!("Wind {letter}"),
                _ => format!("{title} {} {letter}", axes.name.to_lowercase()),
            };
            let number = Number {
                prefix: letter,
                min: Some(-axes.range),
                max: Some(axes.range),
                default: Some(usual[lane]),
                unit: axes.unit,
                doc: axes.doc,
                ..Number::new(&name, values[lane])
            };
            let edited = number.show_at(ui, column(rect, 3, lane, 3.0), self.id.with(&name), &self.look);
            self.take(ui, edited, |wind, value| (axes.of)(find(wind))[lane] = value);
        }
    }

    fn numbers<P: Clone>(
        &mut self,
        ui: &mut Ui,
        specs: &[Spec<P>],
        title: &str,
        part: &P,
        defaults: &P,
        find: impl Fn(&mut WindScene) -> &mut P,
    ) {
        for spec in specs {
            let rect = self.row(ui, spec.name);
            let name = format!("{title} {}", spec.name.to_lowercase());
            let shown = |part: &P| *(spec.of)(&mut part.clone()) * spec.shown;
            let number = Number {
                min: Some(spec.range.0),
                max: Some(spec.range.1),
                default: Some(shown(defaults)),
                unit: spec.unit,
                doc: spec.doc,
                ..Number::new(&name, shown(part))
            };
            let edited = number.show_at(ui, rect, self.id.with(&name), &self.look);
            self.take(ui, edited, |wind, value| {
                *(spec.of)(find(wind)) = value / spec.shown;
            });
        }
    }

    /// Follows one gesture; what is taken back is the whole wind as it was when the gesture began.
    fn take(&mut self, ui: &Ui, edited: Edited<f32>, put: impl FnOnce(&mut WindScene, f32)) {
        if edited.begin {
            ui.data_mut(|data| data.insert_temp(self.id, self.wind.clone()));
        }
        if let Some(value) = edited.value {
            self.change(|wind| put(wind, value));
        }
        if edited.cancel {
            self.wanted = ui.data(|data| data.get_temp::<WindScene>(self.id));
        }
        if let Some(sentence) = edited.refused {
            self.actions.push(Action::Say(sentence));
        }
    }
}
