//! Turns the locale files into constants: one line of text for each section, which costs no memory until it is
//! read, and no parser at run time. A file that says what it may not, or lacks what it must have, ends the build
//! with the names of the file and the key.

#[path = "build_script/schema.rs"]
mod schema;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use schema::{KEYS, Shape, joined, lines, problems};
use toml::{Table, Value};

/// The sections whose values are texts, not lists.
const TEXTS: [&str; 2] = ["replies", "samples"];

fn main() -> Result<(), String> {
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=build_script");
    println!("cargo::rerun-if-changed=build.rs");
    let mut locales: Vec<(String, Table)> = Vec::new();
    for entry in fs::read_dir("locales").map_err(|error| format!("locales: {error}"))? {
        let path = entry.map_err(|error| format!("locales: {error}"))?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).map_err(|error| format!("{file}: {error}"))?;
        locales.push((file.clone(), text.parse().map_err(|error| format!("{file}: {error}"))?));
    }
    // Complete locales first: what several languages have is theirs. English is the first of all.
    locales.sort_by_key(|(file, locale)| {
        (file != "en.toml", std::cmp::Reverse(schema::level(locale)), file.clone())
    });
    let (_, english) = locales.first().ok_or("no locales")?;
    let found: Vec<String> =
        locales.iter().flat_map(|(file, locale)| problems(file, locale, english)).collect();
    for problem in &found {
        println!("cargo::error=locales/{problem}");
    }
    if !found.is_empty() {
        return Ok(());
    }
    #[allow(clippy::disallowed_methods, reason = "cargo tells a build script its folder in this way alone")]
    let out = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    let out = Path::new(&out);
    for name in ["currencies", "places", "schema", "shared_signs", "code_words"] {
        let text =
            fs::read_to_string(format!("data/{name}.toml")).map_err(|error| format!("{name}: {error}"))?;
        let table: Table = text.parse().map_err(|error| format!("{name}: {error}"))?;
        fs::write(out.join(format!("{name}.txt")), lines(&table, false))
            .map_err(|error| error.to_string())?;
    }
    fs::write(out.join("locales.rs"), generated(&locales)).map_err(|error| error.to_string())
}

fn generated(locales: &[(String, Table)]) -> String {
    let mut out = format!("pub(crate) static LOCALES: [Locale; {}] = [\n", locales.len());
    for (_, locale) in locales {
        out.push_str("Locale {\n");
        for (key, shape, _) in KEYS {
            let _ = writeln!(out, "{key}: {},", expression(key, *shape, locale.get(*key)));
        }
        out.push_str("},\n");
    }
    out.push_str("];\n");
    out
}

/// The constant of a key.
fn expression(key: &str, shape: Shape, value: Option<&Value>) -> String {
    let text = value.and_then(Value::as_str).unwrap_or_default();
    let capital =
        || text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect::<String>();
    match (key, shape) {
        ("level", _) => format!("Level::{}", capital()),
        ("script", _) => format!("Script::{}", capital()),
        ("stemmer", _) if text.is_empty() => "None".to_owned(),
        ("stemmer", _) => format!("Some(rust_stemmers::Algorithm::{text})"),
        // Only what says `false` is not cut.
        ("cut_months", _) => (value != Some(&Value::Boolean(false))).to_string(),
        (_, Shape::Text) => format!("{text:?}"),
        (_, Shape::Flag) => (value == Some(&Value::Boolean(true))).to_string(),
        (_, Shape::List) => format!("Words({:?})", value.map(joined).unwrap_or_default()),
        _ => {
            let table = value.and_then(Value::as_table);
            format!(
                "Section({:?})",
                table.map(|table| lines(table, TEXTS.contains(&key))).unwrap_or_default()
            )
        }
    }
}
