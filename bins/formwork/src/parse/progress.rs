//! Progress on standard error.

use std::fmt::Display;
use std::io::{IsTerminal as _, Write as _};

use indicatif::{ProgressBar, ProgressStyle};

use super::inputs::Input;

/// Number of files from which a progress bar is shown.
const MANY: usize = 10;

/// A progress bar on a terminal, else nothing.
#[derive(Debug)]
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    /// For this number of files.
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

    /// Prints above the bar.
    pub(super) fn print_above<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Reports why a file was not read, or not completely, in one line. A closed standard error is ignored.
    pub(super) fn report_failure(&self, input: &Input, what: impl Display) {
        self.print_above(|| {
            writeln!(std::io::stderr().lock(), "formwork: {}: {what}", input.display_name()).ok()
        });
    }

    /// Counts one more file.
    pub(super) fn advance(&self) {
        if let Some(bar) = &self.0 {
            bar.inc(1);
        }
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
