//! Examines one case in the confined process: parses it twice and checks the invariants.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};

use document::{BlockKind, Document, ParseError, ThumbnailOptions};
use documents_core::{Limits, parse, raw_text, sniff, thumbnail};
use parking_lot::Mutex;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::{SeededFault, invariants, page_invariants};

/// The result of one case.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CaseReport {
    /// Fingerprint of the outcome: two cases with the same shape behaved alike.
    pub(crate) shape: u64,
    /// The violation: the rule, and the detail.
    pub(crate) wrong: Option<(String, String)>,
    /// Source locations of library panics, which the parsers catch.
    pub(crate) caught: Vec<String>,
    /// CPU time of one parse, in milliseconds.
    pub(crate) milliseconds: u64,
}

/// Locations of the panics since the last examination.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records panics instead of printing them.
pub(crate) fn keep_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, ToString::to_string);
        PANICS.lock().push(place);
    }));
}

/// Parses a case in every way and checks the results.
pub(crate) fn examine(bytes: &[u8], name: &str, planted: Option<SeededFault>, slow: u64) -> CaseReport {
    let began = milliseconds();
    let (first, wrong_first) = catch_panic(|| read(bytes, name, planted, false));
    let took = milliseconds().saturating_sub(began);
    let mut panics = take_panics();
    let wrong = wrong_first
        .or_else(|| (took > slow).then(|| ("slow".to_owned(), format!("{took} ms"))))
        .or_else(|| first.as_ref().and_then(|first| check_outcome(first, bytes, name, planted)))
        .or_else(|| catch_panic(|| check_raw(bytes, name)).1)
        .or_else(|| name.ends_with(page_invariants::ENDING).then(|| check_page(bytes, slow)).flatten());
    panics.extend(take_panics());
    let own: Option<&String> = panics.iter().find(|place| !is_of_library(place));
    let wrong = own.map(|place| (format!("panic at {place}"), String::new())).or(wrong);
    panics.retain(|place| is_of_library(place));
    panics.sort();
    panics.dedup();
    CaseReport { shape: shape(first.as_ref()), wrong, caught: panics, milliseconds: took }
}

type ParseOutcome = Result<Document, ParseError>;

fn read(bytes: &[u8], name: &str, planted: Option<SeededFault>, again: bool) -> ParseOutcome {
    let mut document = parse(bytes, name, &Limits::default())?;
    if let Some(planted) = planted {
        planted.apply(&mut document, again);
    }
    Ok(document)
}

fn catch_panic<T>(work: impl FnOnce() -> T) -> (Option<T>, Option<(String, String)>) {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => (Some(done), None),
        Err(_) => (None, Some(("panic that is not caught".to_owned(), String::new()))),
    }
}

/// Checks the first outcome, also against a second one.
fn check_outcome(
    first: &ParseOutcome,
    bytes: &[u8],
    name: &str,
    planted: Option<SeededFault>,
) -> Option<(String, String)> {
    if let Ok(document) = first
        && let Some((rule, told)) = invariants::first_violation(document, &Limits::default())
    {
        return Some((rule.to_owned(), told));
    }
    let (again, wrong) = catch_panic(|| read(bytes, name, planted, true));
    let same = match (first, &again) {
        (Ok(first), Some(Ok(again))) => first == again,
        (Err(first), Some(Err(again))) => first.to_string() == again.to_string(),
        _ => false,
    };
    wrong.or_else(|| (!same).then(|| ("a file is read alike twice".to_owned(), String::new())))
}

fn check_raw(bytes: &[u8], name: &str) {
    let _: &str = sniff(bytes.get(..bytes.len().min(8_192)).unwrap_or_default(), name);
    // Any outcome but a panic is valid.
    drop(raw_text(bytes, name, &Limits::default()));
    // Rendering pages is slow, so only some cases do it.
    if bytes.len().is_multiple_of(4) {
        let options = ThumbnailOptions { width: 48, ..ThumbnailOptions::default() };
        drop(thumbnail(bytes, name, &options, &Limits::default()));
    }
}

/// Checks the web page of the bytes.
fn check_page(bytes: &[u8], slow: u64) -> Option<(String, String)> {
    let began = milliseconds();
    let (broken, panicked) = catch_panic(|| page_invariants::first_violation(bytes));
    // It was parsed twice.
    let took = milliseconds().saturating_sub(began) / 2;
    panicked
        .or(broken.flatten())
        .or_else(|| (took > slow).then(|| ("slow page".to_owned(), format!("{took} ms"))))
}

fn take_panics() -> Vec<String> {
    std::mem::take(&mut PANICS.lock())
}

/// Whether a source location is in a library: of the registry or the standard library.
fn is_of_library(place: &str) -> bool {
    place.contains("/registry/") || place.contains("/rustc/") || place.contains("/vendor/")
}

/// CPU time of this process so far.
fn milliseconds() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    u64::try_from(time.tv_sec).unwrap_or_default() * 1_000
        + u64::try_from(time.tv_nsec).unwrap_or_default() / 1_000_000
}

/// Fingerprint of the outcome: the error message without its numbers, or rough counts of each kind of block.
fn shape(read: Option<&ParseOutcome>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match read {
        None => {}
        Some(Err(error)) => {
            error.to_string().chars().filter(|c| !c.is_ascii_digit()).for_each(|c| c.hash(&mut hasher));
        }
        Some(Ok(document)) => {
            document.format.hash(&mut hasher);
            let rough = |count: usize| count.checked_ilog2().map_or(0, |log| log + 1);
            let of =
                |is: fn(&BlockKind) -> bool| document.blocks.iter().filter(|block| is(&block.kind)).count();
            for count in [
                document.text.len() / 16,
                document.pages.len(),
                document.spans.len() / 4,
                document.links.len(),
                document.fields.len(),
                of(|kind| matches!(kind, BlockKind::Heading { .. })),
                of(|kind| matches!(kind, BlockKind::Paragraph)),
                of(|kind| matches!(kind, BlockKind::ListItem { .. })),
                of(|kind| matches!(kind, BlockKind::ListItem { depth: 1.., .. })),
                of(|kind| matches!(kind, BlockKind::Table { .. })),
                of(
                    |kind| matches!(kind, BlockKind::Table { cells } if cells.iter().any(|cell| cell.row_span > 1)),
                ),
                of(
                    |kind| matches!(kind, BlockKind::Table { cells } if cells.iter().any(|cell| cell.column_span > 1)),
                ),
                of(|kind| matches!(kind, BlockKind::Code | BlockKind::Quote)),
                of(|kind| matches!(kind, BlockKind::Figure | BlockKind::Footnote)),
                usize::from(document.metadata.truncated),
            ] {
                rough(count).hash(&mut hasher);
            }
            document.blocks.iter().map(|block| level(&block.kind)).max().hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Nesting level of a block or heading.
fn level(kind: &BlockKind) -> u8 {
    match kind {
        BlockKind::Heading { level } => *level,
        BlockKind::ListItem { depth, .. } => depth.saturating_add(10),
        _ => 0,
    }
}

/// The violation in a file, if any. It runs in the caller's process.
#[must_use]
pub fn check_file(bytes: &[u8], name: &str) -> Option<String> {
    keep_panics();
    let seen = examine(bytes, name, None, u64::MAX);
    seen.wrong.map(|(rule, told)| format!("{rule}: {told}"))
}
