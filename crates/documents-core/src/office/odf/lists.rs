//! Numbers of lists.

use std::collections::HashMap;

use super::super::number_format::formatted;
use super::styles::{Level, Styles};

/// Levels of a list, those of LibreOffice.
const LEVELS: usize = 10;

/// Item counters of the lists of each style.
#[derive(Debug, Default)]
pub(super) struct Counters(HashMap<String, [u32; LEVELS]>);

impl Counters {
    /// Restarts the counters of a list style.
    pub(super) fn restart(&mut self, list: &str) {
        self.0.remove(list);
    }

    /// Counts an item and returns its label; empty for bullets. `first` is a number that the item sets
    /// itself.
    pub(super) fn next(&mut self, styles: &Styles, list: &str, level: usize, first: Option<u32>) -> String {
        let level = level.min(LEVELS - 1);
        let counters = self.0.entry(list.to_owned()).or_default();
        let style = |level: usize| styles.level(Some(list), level);
        let start = style(level).map_or(1, |style| style.start.max(1));
        if let Some(counter) = counters.get_mut(level) {
            *counter = first.unwrap_or(if *counter == 0 { start } else { counter.saturating_add(1) });
        }
        counters.iter_mut().skip(level + 1).for_each(|counter| *counter = 0);
        let Some(own) = style(level).filter(|style| !style.format.is_empty()) else { return String::new() };
        let from = (level + 1).saturating_sub(own.shown);
        let numbers = (from..=level).filter_map(|level| {
            let format = style(level)
                .map(|style: &Level| style.format.as_str())
                .filter(|format| !format.is_empty())?;
            Some(formatted(counters.get(level).copied()?.max(1), ooxml_format_name(format)))
        });
        let numbers: Vec<String> = numbers.collect();
        format!("{}{}{}", own.prefix, numbers.join("."), own.suffix).trim().to_owned()
    }
}

/// Converts OpenDocument's number formats to the names of Office Open XML.
fn ooxml_format_name(format: &str) -> &'static str {
    match format {
        "a" => "lowerLetter",
        "A" => "upperLetter",
        "i" => "lowerRoman",
        "I" => "upperRoman",
        _ => "decimal",
    }
}
