//! Tokens as the toolkit's style: a 4-point grid, 24-point rows, two fonts.

use std::collections::BTreeMap;

use egui::style::{ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, Style,
    TextStyle, Theme, Visuals, vec2,
};

use super::Tokens;

/// Height of a row of widgets, in points.
pub const ROW: f32 = 24.0;
/// Height of the transport and of the menu bar, in points.
pub const BAR: f32 = 36.0;
/// The size of body text, in points.
pub const TEXT: f32 = 13.0;
/// The size of text that steps back, in points.
pub const SMALL: f32 = 11.0;

/// Adds the icon set to the fonts.
pub fn install_fonts(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    egui_phosphor::add_to_fonts(&mut fonts, egui_phosphor::Variant::Regular);
    ctx.set_fonts(fonts);
}

/// Puts both themes in place and shows the one of `tokens`.
pub fn apply(ctx: &Context, tokens: &Tokens) {
    ctx.set_style_of(Theme::Dark, style(&Tokens::dark()));
    ctx.set_style_of(Theme::Light, style(&Tokens::light()));
    ctx.set_theme(if tokens.dark { Theme::Dark } else { Theme::Light });
}

fn style(tokens: &Tokens) -> Style {
    let font = |size| FontId::new(size, FontFamily::Proportional);
    let mut style = Style {
        text_styles: BTreeMap::from([
            (TextStyle::Small, font(SMALL)),
            (TextStyle::Body, font(TEXT)),
            (TextStyle::Button, font(TEXT)),
            (TextStyle::Heading, font(15.0)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        ]),
        drag_value_text_style: TextStyle::Monospace,
        visuals: visuals(tokens),
        animation_time: 0.08,
        ..Style::default()
    };
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 4.0);
    spacing.button_padding = vec2(8.0, 2.0);
    spacing.interact_size = vec2(ROW, ROW);
    spacing.indent = 12.0;
    spacing.menu_margin = Margin::same(4);
    spacing.window_margin = Margin::same(16);
    spacing.combo_width = 96.0;
    spacing.icon_width = 16.0;
    spacing.icon_width_inner = 8.0;
    spacing.icon_spacing = 8.0;
    spacing.slider_width = 96.0;
    spacing.tooltip_width = 320.0;
    spacing.scroll = ScrollStyle {
        bar_width: 8.0,
        ..ScrollStyle::solid()
    };
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.4;
    style
}

fn visuals(tokens: &Tokens) -> Visuals {
    let radius = CornerRadius::same(4);
    let base = if tokens.dark {
        Visuals::dark()
    } else {
        Visuals::light()
    };
    let widget = |fill: Color32, stroke: Color32, text: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, stroke),
        corner_radius: radius,
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let raised = tokens.surface_high.lerp_to_gamma(tokens.line, 0.5);
    let mut inactive = widget(tokens.surface_high, Color32::TRANSPARENT, tokens.text);
    inactive.bg_fill = raised;
    Visuals {
        dark_mode: tokens.dark,
        weak_text_color: Some(tokens.text_dim),
        widgets: Widgets {
            noninteractive: widget(tokens.surface, tokens.line, tokens.text),
            inactive,
            hovered: widget(raised, tokens.line, tokens.text),
            active: widget(tokens.line, tokens.accent, tokens.text),
            open: widget(raised, tokens.line, tokens.text),
        },
        selection: Selection {
            bg_fill: tokens
                .selection
                .gamma_multiply(if tokens.dark { 0.45 } else { 0.30 }),
            stroke: Stroke::new(1.0, tokens.text),
        },
        hyperlink_color: tokens.selection,
        faint_bg_color: tokens.surface_high.gamma_multiply(0.4),
        extreme_bg_color: tokens.surface_low,
        text_edit_bg_color: Some(tokens.surface_low),
        code_bg_color: tokens.surface_low,
        warn_fg_color: tokens.warning,
        error_fg_color: tokens.error,
        window_corner_radius: CornerRadius::same(8),
        window_fill: tokens.surface,
        window_stroke: Stroke::new(1.0, tokens.line),
        window_shadow: shadow(24),
        popup_shadow: shadow(12),
        menu_corner_radius: CornerRadius::same(6),
        panel_fill: tokens.surface,
        slider_trailing_fill: true,
        indent_has_left_vline: false,
        ..base
    }
}

fn shadow(blur: u8) -> Shadow {
    Shadow {
        offset: [0, 4],
        blur,
        spread: 0,
        color: Color32::from_black_alpha(96),
    }
}
