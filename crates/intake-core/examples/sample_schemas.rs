//! Measures the schemas that are proposed from sample documents.
//!
//! `cargo run --release -p intake-core --example sample_schemas -- FOLDER [--verbose]`, where FOLDER has invoices with the
//! fields that invoice2data reads from them (`extraction/invoices` of the open corpus). A field of the truth is found where a
//! proposed field has its value among its examples. Halves are told by a hash of the issuer's name, fixed before any figure
//! was seen; `--verbose` shows the mistakes of the open half and no others.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a program whose product is its output")]

use std::path::{Path, PathBuf};

use document::Document;
use language::date::parse_date;
use language::number::{parse, pick_by_separator};
use rules_engine::schema::propose_schema;
use serde_json::Value;

/// Names of the truth, and the types that are right.
const FIELDS: [(&str, &[&str]); 12] = [
    ("invoice_number", &["string"]),
    ("date", &["date"]),
    ("date_due", &["date"]),
    ("date_start", &["date"]),
    ("date_end", &["date"]),
    ("amount", &["money", "number"]),
    ("amount_untaxed", &["money", "number"]),
    ("amount_tax", &["money", "number"]),
    ("vat", &["string"]),
    ("iban", &["string"]),
    ("bic", &["string"]),
    ("telephone", &["string"]),
];

fn main() {
    let mut folder = None;
    let mut verbose = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--verbose" => verbose = true,
            _ => folder = Some(PathBuf::from(argument)),
        }
    }
    let folder = folder.expect("usage: sample_schemas FOLDER [--verbose]");
    let entries = std::fs::read_dir(&folder).expect("the folder can be read");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension != "json"));
    paths.sort();
    for is_open in [true, false] {
        let (mut documents, mut stated, mut found, mut typed, mut proposed) = (0, 0, 0, 0, 0);
        for path in paths.iter().filter(|path| is_open_half(path) == is_open) {
            let (Some(document), Some(truth)) = (read(path), truth(path)) else { continue };
            let schema = propose_schema(&[&document]);
            documents += 1;
            proposed += schema.schema.len();
            for (name, types) in FIELDS {
                let Some(value) = truth.get(name).map(text_of) else { continue };
                stated += 1;
                let place =
                    schema.fields.iter().find(|field| field.examples.iter().any(|one| is_same(one, &value)));
                let kind = place.and_then(|field| kind_at(&schema.schema, &field.path));
                found += usize::from(place.is_some());
                let is_right = kind.is_some_and(|kind| types.contains(&kind));
                typed += usize::from(is_right);
                if verbose && is_open && !is_right {
                    println!(
                        "{} {name} {value}: {:?} {kind:?}",
                        path.display(),
                        place.map(|field| &field.label)
                    );
                }
            }
        }
        let half = if is_open { "open" } else { "blind" };
        println!(
            "{half} half: {documents} documents, {stated} fields of the truth, {found} found, {typed} of them with the right \
             type; {proposed} fields proposed"
        );
    }
}

fn read(path: &Path) -> Option<Document> {
    let bytes = std::fs::read(path).ok()?;
    documents_core::parse(&bytes, &path.to_string_lossy(), &documents_core::Limits::default()).ok()
}

fn truth(path: &Path) -> Option<Value> {
    let bytes = std::fs::read(path.with_extension("json")).ok()?;
    serde_json::from_slice::<Value>(&bytes).ok()?.get(0).cloned()
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The type at a pointer into a schema.
fn kind_at<'s>(schema: &'s serde_json::Map<String, Value>, path: &str) -> Option<&'s str> {
    let (first, rest) = path.get(1..)?.split_once('/').unwrap_or((path.get(1..)?, ""));
    let definition = schema.get(first)?;
    let inner = if rest.is_empty() { Some(definition) } else { definition.pointer(&format!("/{rest}")) };
    inner?.get("type")?.as_str()
}

/// Whether a printed text states a value: the same number, date, or letters and digits.
fn is_same(printed: &str, value: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let number = |text: &str| parse(text, |readings| pick_by_separator(readings, Some('.')));
    let other = |text: &str| parse(text, |readings| pick_by_separator(readings, Some(',')));
    let own = value.parse::<f64>().ok();
    let as_number = own.is_some_and(|own| [number(printed), other(printed)].contains(&Some(own)));
    let date = |text: &str, first: bool| parse_date(text, |_, _| first);
    let as_date =
        date(value, true).is_some_and(|own| [date(printed, true), date(printed, false)].contains(&Some(own)));
    as_number || as_date || !letters(value).is_empty() && letters(printed) == letters(value)
}

/// By a hash of the issuer's name (FNV-1a, mixed as in SplitMix64).
fn is_open_half(path: &Path) -> bool {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let fnv = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let first = (fnv ^ (fnv >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let second = (first ^ (first >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (second ^ (second >> 31)) & 1 == 0
}
