//! The command table. Menus, keys, tooltips and the command palette read it; nothing else says what a command
//! is called, which key it has or when it can be used.

mod edit;
mod emitter;
mod file;
mod play;
mod view;

use std::sync::OnceLock;

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::state::EditorState;

/// Where a command's keys count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere, except while a text field has focus.
    Window,
    /// Everywhere, also while a text field has focus.
    Always,
    /// While the pointer is over the viewport.
    Viewport,
}

/// The menu a command stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Menu {
    /// Documents and files.
    File,
    /// The File menu's list of presets.
    Presets,
    /// The document.
    Edit,
    /// Emitters.
    Emitter,
    /// Playing.
    Play,
    /// The window.
    View,
}

impl Menu {
    /// The menus of the bar, in order.
    pub const BAR: [Self; 5] = [Self::File, Self::Edit, Self::Emitter, Self::Play, Self::View];

    /// The name on screen.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Presets => "New from preset",
            Self::Edit => "Edit",
            Self::Emitter => "Emitter",
            Self::Play => "Play",
            Self::View => "View",
        }
    }
}

/// A command.
#[derive(Debug)]
pub struct Command {
    /// Stable id.
    pub id: &'static str,
    text: &'static str,
    /// What it does, in a sentence.
    pub hint: &'static str,
    keys: Vec<(KeyboardShortcut, Scope)>,
    /// The menu it stands in.
    pub menu: Menu,
    /// Commands of different groups have a line between them.
    pub group: u8,
    enabled: fn(&EditorState) -> bool,
    checked: Option<fn(&EditorState) -> bool>,
    title: Option<fn(&EditorState) -> String>,
    run: Run,
}

#[derive(Debug)]
enum Run {
    Do(fn(&mut EditorState)),
    Preset(&'static str),
}

impl Command {
    fn new(
        menu: Menu,
        group: u8,
        id: &'static str,
        text: &'static str,
        hint: &'static str,
        run: fn(&mut EditorState),
    ) -> Self {
        Self {
            id,
            text,
            hint,
            keys: Vec::new(),
            menu,
            group,
            enabled: |_| true,
            checked: None,
            title: None,
            run: Run::Do(run),
        }
    }

    fn preset(id: &'static str, text: &'static str, hint: &'static str, preset: &'static str) -> Self {
        let mut command = Self::new(Menu::Presets, 0, id, text, hint, |_| {});
        command.run = Run::Preset(preset);
        command
    }

    fn key(mut self, modifiers: Modifiers, key: Key) -> Self {
        self.keys
            .push((KeyboardShortcut::new(modifiers, key), Scope::Window));
        self
    }

    fn key_in(mut self, scope: Scope, modifiers: Modifiers, key: Key) -> Self {
        self.keys.push((KeyboardShortcut::new(modifiers, key), scope));
        self
    }

    fn when(mut self, enabled: fn(&EditorState) -> bool) -> Self {
        self.enabled = enabled;
        self
    }

    fn checked(mut self, checked: fn(&EditorState) -> bool) -> Self {
        self.checked = Some(checked);
        self
    }

    fn titled(mut self, title: fn(&EditorState) -> String) -> Self {
        self.title = Some(title);
        self
    }

    /// The name on screen.
    #[must_use]
    pub fn title(&self, state: &EditorState) -> String {
        self.title
            .map_or_else(|| self.text.to_owned(), |title| title(state))
    }

    /// Whether it can be used now.
    #[must_use]
    pub fn is_enabled(&self, state: &EditorState) -> bool {
        (self.enabled)(state)
    }

    /// Whether what it chooses is chosen; none where it chooses nothing.
    #[must_use]
    pub fn is_checked(&self, state: &EditorState) -> Option<bool> {
        self.checked.map(|checked| checked(state))
    }

    /// Its first key as text, where it has one.
    #[must_use]
    pub fn key_text(&self, ctx: &Context) -> Option<String> {
        let (shortcut, _) = self.keys.first()?;
        Some(ctx.format_shortcut(shortcut))
    }

    /// Its keys and where they count.
    pub fn keys(&self) -> impl Iterator<Item = (KeyboardShortcut, Scope)> + '_ {
        self.keys.iter().copied()
    }

    /// Its name, key and hint, for a tooltip.
    #[must_use]
    pub fn tooltip(&self, state: &EditorState, ctx: &Context) -> String {
        let title = self.title(state);
        match self.key_text(ctx) {
            Some(key) => format!("{title} ({key})\n{}", self.hint),
            None => format!("{title}\n{}", self.hint),
        }
    }

    pub(super) fn run(&self, state: &mut EditorState) {
        tracing::debug!(id = self.id, "command");
        match self.run {
            Run::Do(run) => run(state),
            Run::Preset(name) => state.when_safe(super::state::Waiting::New(name.to_owned())),
        }
    }
}

/// All commands, in menu order.
#[must_use]
pub fn commands() -> &'static [Command] {
    static TABLE: OnceLock<Vec<Command>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let groups = [
            file::commands(),
            edit::commands(),
            emitter::commands(),
            play::commands(),
            view::commands(),
        ];
        groups.into_iter().flatten().collect()
    })
}

/// The command of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Command> {
    commands().iter().find(|command| command.id == id)
}

/// Takes the keys pressed in this frame out of the input and gives the commands they stand for.
#[must_use]
pub fn pressed(ctx: &Context, over_viewport: bool) -> Vec<&'static Command> {
    let typing = ctx.text_edit_focused();
    // A bare key belongs to the open popup: Delete there removes a key of a curve, not the node.
    let popup = egui::Popup::is_any_open(ctx);
    let counts = |scope| match scope {
        Scope::Always => true,
        Scope::Window => !typing,
        Scope::Viewport => !typing && over_viewport,
    };
    // Keys with more modifiers first: Ctrl+Shift+S is no Ctrl+S.
    let mut bound: Vec<(KeyboardShortcut, &'static Command)> = commands()
        .iter()
        .flat_map(|command| command.keys().map(move |(key, scope)| (key, scope, command)))
        .filter(|&(key, scope, _)| counts(scope) && (scope == Scope::Always || !popup || key.modifiers.any()))
        .map(|(key, _, command)| (key, command))
        .collect();
    let weight = |m: Modifiers| u8::from(m.shift) + u8::from(m.alt) + u8::from(m.command || m.ctrl);
    bound.sort_by_key(|(key, _)| std::cmp::Reverse(weight(key.modifiers)));
    ctx.input_mut(|input| {
        bound
            .into_iter()
            .filter(|(key, _)| input.consume_shortcut(key))
            .map(|(_, command)| command)
            .collect()
    })
}
