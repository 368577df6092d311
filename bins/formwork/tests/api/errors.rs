//! The documented error codes are those that the program can give, and no others.

use std::collections::BTreeSet;
use std::path::Path;

/// Files whose functions `code` and calls of `ApiError::new` name every code.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["target", "tests", "examples", "benches", "contract"].contains(&name) {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && name != "memory.rs" && name != "contract.rs" {
            // Unit tests stand at the end of their file.
            let text = std::fs::read_to_string(&path).unwrap();
            found.push(text.split("#[cfg(test)]").next().unwrap().to_owned());
        }
    }
}

/// The text literals of a piece of source that look like a code.
fn literals(source: &str) -> impl Iterator<Item = String> {
    source.split('"').skip(1).step_by(2).filter(|text| is_code(text)).map(str::to_owned)
}

fn is_code(text: &str) -> bool {
    text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

fn given() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    sources(&root.join("crates"), &mut texts);
    sources(&root.join("bins/formwork/src"), &mut texts);
    let mut codes = BTreeSet::new();
    for text in &texts {
        // Bodies of `fn code(…) -> &'static str`.
        for body in text.split("fn code(").skip(1) {
            codes.extend(literals(body.split("\n    }\n").next().unwrap()));
        }
        // Codes given in place: to an answer, to a document's error, or to a run's end.
        for call in [
            "ApiError::new(",
            "ReadError::unusable(",
            "Self::new(",
            "Self::of(",
            "item(",
            "internal_error(",
            "code: ",
        ] {
            for rest in text.split(call).skip(1) {
                let end = rest.find([';', '{']).unwrap_or(rest.len());
                codes.extend(literals(&rest[..end]).take(1));
            }
        }
    }
    codes
}

fn documented() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errors.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').nth(1).unwrap());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_code_is_documented_and_every_documented_code_exists() {
    let (given, documented) = (given(), documented());
    assert!(given.len() > 30, "{given:?}");
    let missing: Vec<_> = given.difference(&documented).collect();
    let invented: Vec<_> = documented.difference(&given).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "not documented: {missing:?}\nnot given: {invented:?}"
    );
}
