//! Whether several fields use one place, and whether the cells of a row are on one line.

use std::collections::HashMap;

use serde_json::Value;

use super::super::node::{Leaf, TextSpan};
use super::super::segment::Source;
use super::agreement::comparison_key;

/// The places and values used by the fields of a record, and the lines of its rows.
#[derive(Debug, Default)]
pub(super) struct PlaceUsage {
    spots: HashMap<TextSpan, usize>,
    values: HashMap<String, usize>,
    /// By the pointer of a row: its lines, by document and first byte, with the number of its cells on them.
    rows: HashMap<String, HashMap<(usize, usize), usize>>,
}

impl PlaceUsage {
    pub(super) fn add(&mut self, path: &str, listed: bool, leaf: &Leaf, sources: &[Source<'_>]) {
        if matches!(leaf.value, Value::Bool(_)) {
            return;
        }
        if let Some(spot) = leaf.span {
            *self.spots.entry(spot).or_default() += 1;
        }
        if !listed {
            *self.values.entry(comparison_key(&leaf.value)).or_default() += 1;
        } else if let (Some(line), Some((row, _))) = (line(leaf, sources), path.rsplit_once('/')) {
            *self.rows.entry(row.to_owned()).or_default().entry(line).or_default() += 1;
        }
    }

    /// Whether a value is used by more fields than it has places, or two cells share one place.
    pub(super) fn is_shared(&self, listed: bool, leaf: &Leaf) -> bool {
        let uses = self.values.get(&comparison_key(&leaf.value)).copied().unwrap_or_default();
        match (leaf.mentions, leaf.span) {
            (Some(mentions), _) if mentions > 0 && !listed => uses > mentions as usize,
            (_, Some(spot)) => self.spots.get(&spot).is_some_and(|uses| *uses > 1),
            _ => false,
        }
    }

    /// The share of the other cells of its row that are on the line of a cell; 0.5 when unknown.
    pub(super) fn row_share(&self, path: &str, leaf: &Leaf, sources: &[Source<'_>]) -> f32 {
        let Some((row, _)) = path.rsplit_once('/') else { return 0.5 };
        let (Some(lines), Some(line)) = (self.rows.get(row), line(leaf, sources)) else { return 0.5 };
        let others = lines.values().sum::<usize>().saturating_sub(1);
        let beside = lines.get(&line).copied().unwrap_or_default().saturating_sub(1);
        if others == 0 { 0.5 } else { beside as f32 / others as f32 }
    }
}

/// The document and the first byte of the line of a value.
fn line(leaf: &Leaf, sources: &[Source<'_>]) -> Option<(usize, usize)> {
    let spot = leaf.span?;
    let before = sources.get(spot.document)?.text().get(..spot.start)?;
    Some((spot.document, before.rfind('\n').map_or(0, |at| at + 1)))
}
