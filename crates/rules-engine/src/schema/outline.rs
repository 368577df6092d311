//! Parses a description of several lines: bullets, numbers, `Field: type`, indented parts, sections.
//!
//! Counts of words that decide here were set on the phrases of `tests/schema`; none was measured alone.

use super::draft::{DraftKind, FieldDraft};
use super::item::parse_field;
use super::list::{ListItem, is_collection};
use super::prose::ProseReader;
use super::split::find_open;
use super::title;
use super::words::{Lexicon, has_any, words};

// They bound time and stack.
/// Most lines parsed.
const MAX_LINES: usize = 1_000;
/// Most levels of indentation parsed.
const MAX_LEVELS: usize = 3;

/// A line with the lines nested below it.
#[derive(Debug)]
struct OutlineLine<'a> {
    text: &'a str,
    /// Whether it had a bullet or a number.
    marked: bool,
    indent: usize,
    below: Vec<OutlineLine<'a>>,
}

/// The fields of a text.
pub(super) fn read_outline(text: &str, lexicon: Lexicon) -> Vec<FieldDraft> {
    let mut reader = ProseReader::new(lexicon);
    let lines: Vec<OutlineLine<'_>> = text.lines().take(MAX_LINES).filter_map(parse_line).collect();
    let short = lines.iter().filter(|line| line.marked || is_short(line.text)).count();
    if lines.len() < 2 || (short * 2 < lines.len() && !lines.iter().any(|line| line.marked)) {
        lines.iter().for_each(|line| reader.paragraph(line.text));
        return reader.fields;
    }
    let roots = tree(lines);
    let only = roots.len() == 1;
    let last = roots.len() - 1;
    for (n, root) in roots.iter().enumerate() {
        let alone =
            n == 0 && !root.marked && root.below.is_empty() && roots.iter().skip(1).all(|root| root.marked);
        if alone
            && last > 0
            && !root.text.contains([',', ';'])
            && find_open(root.text, |rest| rest.starts_with(": ")).is_none()
        {
            continue;
        }
        let heads = only || (n == 0 && last > 0 && is_title(root, lexicon));
        read_root(root, heads, n == 0, &mut reader);
    }
    reader.fields
}

/// Parses a line without its bullet; `None` when it has no words.
fn parse_line(raw: &str) -> Option<OutlineLine<'_>> {
    let text = raw.trim_start();
    let indent = raw.len() - text.len();
    let text = text.trim_end();
    let heading = text.trim_start_matches('#').trim_start();
    let bullet =
        ["- [ ] ", "- [x] ", "[ ] ", "- ", "* ", "+ ", "-"].iter().find_map(|mark| text.strip_prefix(mark));
    let bare = bullet.or_else(|| numbered(text)).map(str::trim);
    let text = bare.unwrap_or(heading);
    let worded = text.chars().any(char::is_alphanumeric);
    worded.then(|| OutlineLine { text, marked: bare.is_some(), indent, below: Vec::new() })
}

/// The text after `1.`, `2)`, `(3)` or `a)`.
fn numbered(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(').unwrap_or(text);
    let digits = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < inner.len() && inner.len() - digits.len() <= 3 {
        digits
    } else {
        let letter = inner.chars().next().filter(char::is_ascii_alphabetic)?;
        inner.get(letter.len_utf8()..).filter(|rest| rest.starts_with(')'))?
    };
    rest.strip_prefix(". ")
        .or_else(|| rest.strip_prefix(") "))
        .or_else(|| rest.strip_prefix(")"))
        .or_else(|| rest.strip_prefix(": "))
}

fn is_short(text: &str) -> bool {
    words(text).len() <= 8 && !text.trim_end().ends_with('.') || text.contains(':')
}

/// Nests each line below the previous one that is less indented or announces it with a colon.
fn tree(lines: Vec<OutlineLine<'_>>) -> Vec<OutlineLine<'_>> {
    let mut roots: Vec<OutlineLine<'_>> = Vec::new();
    for line in lines {
        insert_line(&mut roots, line, 0);
    }
    roots
}

fn insert_line<'a>(level: &mut Vec<OutlineLine<'a>>, line: OutlineLine<'a>, depth: usize) {
    if depth < MAX_LEVELS
        && let Some(last) = level.last_mut()
        && (line.indent > last.indent || (!last.marked && line.marked && last.text.ends_with(':')))
    {
        insert_line(&mut last.below, line, depth + 1);
        return;
    }
    level.push(line);
}

/// Whether the first line names the form and not a field.
fn is_title(root: &OutlineLine<'_>, lexicon: Lexicon) -> bool {
    let found = words(root.text);
    let form = has_any(&found, lexicon.list("form"))
        || found.iter().any(|word| lexicon.has_ending("form_ending", &word.plain, 0));
    !root.marked
        && (form || root.text.ends_with(':') && !title::split(root.text, lexicon, false).title.is_empty())
        && (!root.below.is_empty()
            || root.text.ends_with(':')
            || find_open(root.text, |rest| rest.starts_with([':', ','])).is_none())
}

/// Parses a top-level line. With `heads`, the lines below it are fields of the form.
fn read_root(root: &OutlineLine<'_>, heads: bool, first: bool, reader: &mut ProseReader) {
    if root.below.is_empty() {
        read_line(root, heads, first, reader);
        return;
    }
    let head = words(root.text);
    let thing = is_collection(&head, reader.lexicon) || has_any(&head, reader.lexicon.list("object"));
    let indented = root.below.first().is_some_and(|below| below.indent > root.indent);
    let section = !root.marked && (!indented || has_any(&head, reader.lexicon.list("heading"))) && !thing;
    if heads || section {
        for below in &root.below {
            read_root(below, false, false, reader);
        }
        return;
    }
    if options_below(root, reader.lexicon) {
        let options =
            root.below.iter().map(|below| below.text).collect::<Vec<_>>().join(" | ").replace(" | ", "; ");
        let item = ListItem {
            text: root.text.trim_end_matches(':').to_owned(),
            parts: None,
            options: Some(options),
        };
        reader.fields.extend(parse_field(&item, reader.lexicon, 1));
        return;
    }
    let mut below = ProseReader::new(reader.lexicon);
    for line in &root.below {
        read_root(line, false, false, &mut below);
    }
    let item = ListItem { text: root.text.trim_end_matches(':').to_owned(), ..ListItem::default() };
    if let Some(mut field) = parse_field(&item, reader.lexicon, 1) {
        field.many |= is_collection(&words(&field.name), reader.lexicon);
        if !below.fields.is_empty() {
            (field.kind, field.parts) = (DraftKind::Object, below.fields);
            field.options.clear();
        }
        reader.fields.push(field);
    }
}

/// Whether the lines below a field are its options: plain words below a name with options.
fn options_below(root: &OutlineLine<'_>, lexicon: Lexicon) -> bool {
    let head = words(root.text);
    let chosen = head.iter().any(|word| lexicon.has("choice_noun", &word.plain)) || root.text.contains(['?']);
    let field = |text: &str| words(text).last().is_some_and(|word| lexicon.has("field", &word.plain));
    let bare = root.below.iter().all(|below| {
        below.below.is_empty()
            && words(below.text).len() <= 4
            && !below.text.contains([':', '('])
            && !field(below.text)
    });
    root.below.len() > 1 && chosen && bare
}

/// Parses a line without nested lines.
fn read_line(line: &OutlineLine<'_>, heads: bool, first: bool, reader: &mut ProseReader) {
    let split = find_open(line.text, |rest| {
        rest.starts_with(':') || rest.starts_with(" - ") || rest.starts_with(" = ")
    });
    let long = words(line.text).len() > 12 && !line.marked;
    if heads || long || (!line.marked && line.text.ends_with('.')) {
        if !(first && heads) || line.text.contains([',', ';']) {
            reader.paragraph(line.text);
        }
        return;
    }
    let bare_title = first && !line.marked && line.text.ends_with(':');
    match split {
        _ if bare_title => {}
        Some(place)
            if place > 0 && !line.text[..place].contains(',') && !line.text[place..].contains(';') =>
        {
            let item = ListItem { text: line.text.to_owned(), ..ListItem::default() };
            reader.add(parse_field(&item, reader.lexicon, 1));
        }
        _ if line.marked => reader.list(line.text.trim_end_matches('.')),
        _ => reader.paragraph_or_list(line.text),
    }
}
