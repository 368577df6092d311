//! How far the work is, on standard error.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressStyle};

use super::inputs::Input;

/// Files from which on a bar is shown.
const MANY: usize = 10;

/// A bar where people look on, else nothing.
#[derive(Debug)]
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    /// For as many files.
    pub(super) fn of(files: usize) -> Self {
        if files < MANY || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::new(files as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} files, {eta} left") {
            bar.set_style(style);
        }
        Self(Some(bar))
    }

    /// Prints something without the bar in between.
    pub(super) fn print_above<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Tells why a file was not read, or not all of it, in one line. Where standard error is closed nobody is told.
    pub(super) fn report_failure(&self, input: &Input, what: impl Display) {
        self.print_above(|| {
            writeln!(std::io::stderr().lock(), "formwork: {}: {what}", input.display_name()).ok()
        });
    }

    /// One more file is done.
    pub(super) fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
