//! The keys along the bar: opacities above it, colours below.

use egui::{Color32, Id, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

use super::super::edited::Edited;
use super::super::look::{Look, shown};
use super::super::number::short;
use super::{Pick, State, removed, with};
use crate::base::curve::{AlphaKey, ColorKey, Gradient};

/// The bar that keys stand at.
pub(super) struct Track<'a> {
    pub(super) rect: Rect,
    pub(super) times: [f32; 2],
    pub(super) name: &'a str,
    pub(super) look: &'a Look<'a>,
}

impl Track<'_> {
    fn x(&self, t: f32) -> f32 {
        let part = (t - self.times[0]) / (self.times[1] - self.times[0]);
        self.rect.left() + self.rect.width() * part.clamp(0.0, 1.0)
    }

    fn time(&self, at: Pos2) -> f32 {
        let part = ((at.x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        let t = self.times[0] + part * (self.times[1] - self.times[0]);
        (t * 1000.0).round() / 1000.0
    }

    /// The bar itself: a double click on its lower half adds a colour, and on its upper half an opacity where
    /// those have keys of their own.
    pub(super) fn ground(&self, ui: &Ui, id: Id, gradient: &Gradient, state: &mut State) -> Edited<Gradient> {
        let ground = ui.interact(self.rect, id.with("ground"), Sense::click());
        let name = self.name;
        ground.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("{name} ground")));
        let own = !gradient.alphas().is_empty();
        let mut edited = Edited::default();
        if ground.double_clicked()
            && let Some(at) = ground.interact_pointer_pos()
        {
            let t = self.time(at);
            let [r, g, b, a] = gradient.eval(f64::from(t)).map(|c| c as f32);
            if own && at.y < self.rect.center().y {
                let place = gradient.alphas().partition_point(|k| k.t <= t);
                let before = gradient.alphas().get(place.saturating_sub(1));
                let key = AlphaKey {
                    interpolation: before.map_or_else(Default::default, |k| k.interpolation),
                    ..AlphaKey::new(t, a)
                };
                edited = with(gradient, |_, alphas| alphas.insert(place, key));
                state.selected = Pick::Alpha(place);
            } else {
                let place = gradient.keys().partition_point(|k| k.t <= t);
                let before = gradient.keys().get(place.saturating_sub(1)).copied();
                let before = before.unwrap_or(ColorKey::new(t, [r, g, b, a]));
                // In the light of the key before, as bright as it is here.
                let dim = (-before.stops).exp2();
                let key = ColorKey {
                    t,
                    color: [r * dim, g * dim, b * dim, if own { 1.0 } else { a }],
                    ..before
                };
                edited = with(gradient, |keys, _| keys.insert(place, key));
                state.selected = Pick::Color(place);
            }
        }
        ground.on_hover_text(if own {
            "Double click adds an opacity in the upper half, a colour in the lower."
        } else {
            "Double click adds a colour."
        });
        edited
    }

    /// One key: selected, dragged, removed.
    pub(super) fn key(
        &self,
        ui: &Ui,
        id: Id,
        gradient: &Gradient,
        state: &mut State,
        pick: Pick,
    ) -> Edited<Gradient> {
        let (t, fill, label) = match pick {
            Pick::Color(index) => {
                let Some(key) = gradient.keys().get(index) else {
                    return Edited::default();
                };
                (
                    key.t,
                    shown(key.light()),
                    format!("{} colour {}", self.name, index + 1),
                )
            }
            Pick::Alpha(index) => {
                let Some(key) = gradient.alphas().get(index) else {
                    return Edited::default();
                };
                let grey = (key.alpha.clamp(0.0, 1.0) * 255.0).round() as u8;
                let label = format!("{} opacity {}", self.name, index + 1);
                (key.t, Color32::from_gray(grey), label)
            }
        };
        // Colours point up at the bar from below, opacities down at it from above.
        let (tip, down) = match pick {
            Pick::Color(_) => (pos2(self.x(t), self.rect.bottom() + 1.0), 1.0),
            Pick::Alpha(_) => (pos2(self.x(t), self.rect.top() - 1.0), -1.0),
        };
        let hit = Rect::from_center_size(tip + vec2(0.0, 7.0 * down), vec2(14.0, 16.0));
        let response = ui.interact(hit, id.with(("key", pick)), Sense::click_and_drag());
        let chosen = state.selected == pick;
        response.widget_info(|| WidgetInfo::selected(WidgetType::SelectableLabel, true, chosen, &label));
        if response.clicked() || response.drag_started() {
            state.selected = pick;
        }
        let mut edited = Edited::default();
        if response.secondary_clicked() {
            edited = removed(gradient, pick);
        }
        if response.drag_started_by(egui::PointerButton::Primary) {
            state.drag = Some((gradient.clone(), pick));
            edited.begin = true;
        }
        if response.dragged()
            && let (Some(at), Some((origin, pick))) = (response.interact_pointer_pos(), &state.drag)
        {
            let (made, place) = moved(origin, *pick, self.time(at));
            state.selected = place;
            edited.value = made.filter(|made| made != gradient);
        }
        edited.commit |= response.drag_stopped();
        let tokens = self.look.tokens;
        let line = if chosen { tokens.selection } else { tokens.text_dim };
        let corner = |x: f32, y: f32| tip + vec2(x, y * down);
        let points = vec![
            corner(0.0, 0.0),
            corner(6.0, 6.0),
            corner(6.0, 14.0),
            corner(-6.0, 14.0),
            corner(-6.0, 6.0),
        ];
        let width = if chosen { 2.0 } else { 1.0 };
        ui.painter()
            .add(Shape::convex_polygon(points, fill, Stroke::new(width, line)));
        response.on_hover_text(short(t));
        edited
    }
}

/// The gradient with a key at another time, and which key that is then: it may have passed others.
fn moved(gradient: &Gradient, pick: Pick, t: f32) -> (Option<Gradient>, Pick) {
    match pick {
        Pick::Color(index) => {
            let (keys, place) = passed(gradient.keys(), index, t, |key| &mut key.t);
            (with(gradient, |all, _| *all = keys).value, Pick::Color(place))
        }
        Pick::Alpha(index) => {
            let (keys, place) = passed(gradient.alphas(), index, t, |key| &mut key.t);
            (with(gradient, |_, all| *all = keys).value, Pick::Alpha(place))
        }
    }
}

fn passed<K: Copy>(keys: &[K], index: usize, t: f32, time: impl Fn(&mut K) -> &mut f32) -> (Vec<K>, usize) {
    let mut keys: Vec<(K, bool)> = keys.iter().map(|key| (*key, false)).collect();
    if let Some((key, chosen)) = keys.get_mut(index) {
        (*time(key), *chosen) = (t, true);
    }
    let at = |key: &K| *time(&mut { *key });
    keys.sort_by(|(a, _), (b, _)| at(a).total_cmp(&at(b)));
    let place = keys.iter().position(|(_, chosen)| *chosen).unwrap_or(index);
    (keys.into_iter().map(|(key, _)| key).collect(), place)
}
