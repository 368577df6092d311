//! Reading a description of several lines: bullets, numbers, `Field: type`, parts indented under a
//! field, sections.

use super::draft::{Draft, Kind};
use super::item::draft;
use super::language::Language;
use super::lexicon::OBJECTS;
use super::list::{Item, is_collection};
use super::prose::Reader;
use super::split::find_open;
use super::title;
use super::words::{any, words};

/// Lines that are read.
const MAX_LINES: usize = 1_000;
/// Levels of indentation that are read.
const MAX_LEVELS: usize = 3;

/// A line with those that stand under it.
#[derive(Debug)]
struct Node<'a> {
    text: &'a str,
    /// Whether a bullet or a number stood before it.
    marked: bool,
    indent: usize,
    below: Vec<Node<'a>>,
}

/// The fields of a text.
pub(super) fn read(text: &str, language: Language) -> Vec<Draft> {
    let mut reader = Reader::new(language);
    let lines: Vec<Node<'_>> = text.lines().take(MAX_LINES).filter_map(line).collect();
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
        let heads = only || (n == 0 && last > 0 && is_title(root, language));
        read_root(root, heads, n == 0, &mut reader);
    }
    reader.fields
}

/// A line without its bullet; `None` when it has no words.
fn line(raw: &str) -> Option<Node<'_>> {
    let text = raw.trim_start();
    let indent = raw.len() - text.len();
    let text = text.trim_end();
    let heading = text.trim_start_matches('#').trim_start();
    let bullet =
        ["- [ ] ", "- [x] ", "[ ] ", "- ", "* ", "+ ", "-"].iter().find_map(|mark| text.strip_prefix(mark));
    let bare = bullet.or_else(|| numbered(text)).map(str::trim);
    let text = bare.unwrap_or(heading);
    let worded = text.chars().any(char::is_alphanumeric);
    worded.then(|| Node { text, marked: bare.is_some(), indent, below: Vec::new() })
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

/// Puts each line under the one before it that is indented less, or that announces it with a colon.
fn tree(lines: Vec<Node<'_>>) -> Vec<Node<'_>> {
    let mut roots: Vec<Node<'_>> = Vec::new();
    for line in lines {
        place(&mut roots, line, 0);
    }
    roots
}

fn place<'a>(level: &mut Vec<Node<'a>>, line: Node<'a>, depth: usize) {
    if depth < MAX_LEVELS
        && let Some(last) = level.last_mut()
        && (line.indent > last.indent || (!last.marked && line.marked && last.text.ends_with(':')))
    {
        place(&mut last.below, line, depth + 1);
        return;
    }
    level.push(line);
}

/// Whether the first line names the form and not a field.
fn is_title(root: &Node<'_>, language: Language) -> bool {
    let found = words(root.text);
    let form = any(&found, &title::FORMS)
        || found.iter().any(|word| word.plain.ends_with("formular") || word.plain.ends_with("bogen"));
    !root.marked
        && (form || root.text.ends_with(':') && !title::split(root.text, language, false).title.is_empty())
        && (!root.below.is_empty()
            || root.text.ends_with(':')
            || find_open(root.text, |rest| rest.starts_with([':', ','])).is_none())
}

/// Reads a line of the top level; with `heads`, the lines under it are fields of the form.
fn read_root(root: &Node<'_>, heads: bool, first: bool, reader: &mut Reader) {
    if root.below.is_empty() {
        read_line(root, heads, first, reader);
        return;
    }
    let head = words(root.text);
    let thing = is_collection(&head) || any(&head, &OBJECTS);
    let indented = root.below.first().is_some_and(|below| below.indent > root.indent);
    let section =
        !root.marked && (!indented || any(&head, &["section", "details", "information", "data"])) && !thing;
    if heads || section {
        for below in &root.below {
            read_root(below, false, false, reader);
        }
        return;
    }
    if options_below(root) {
        let options =
            root.below.iter().map(|below| below.text).collect::<Vec<_>>().join(" | ").replace(" | ", "; ");
        let item =
            Item { text: root.text.trim_end_matches(':').to_owned(), parts: None, options: Some(options) };
        reader.fields.extend(draft(&item, reader.language, 1));
        return;
    }
    let mut below = Reader::new(reader.language);
    for line in &root.below {
        read_root(line, false, false, &mut below);
    }
    let item = Item { text: root.text.trim_end_matches(':').to_owned(), ..Item::default() };
    if let Some(mut field) = draft(&item, reader.language, 1) {
        field.many |= is_collection(&words(&field.name));
        if !below.fields.is_empty() {
            (field.kind, field.parts) = (Kind::Object, below.fields);
            field.options.clear();
        }
        reader.fields.push(field);
    }
}

/// Whether the lines below a field are its options: bare words under a name that has options.
fn options_below(root: &Node<'_>) -> bool {
    let head = words(root.text);
    let chosen = head.iter().any(|word| super::lexicon::CHOICES.contains(&word.plain.as_str()))
        || root.text.contains(['?']);
    let field = |text: &str| {
        words(text).last().is_some_and(|word| super::lexicon::FIELDS.contains(&word.plain.as_str()))
    };
    let bare = root.below.iter().all(|below| {
        below.below.is_empty()
            && words(below.text).len() <= 4
            && !below.text.contains([':', '('])
            && !field(below.text)
    });
    root.below.len() > 1 && chosen && bare
}

/// Reads a line without anything under it.
fn read_line(line: &Node<'_>, heads: bool, first: bool, reader: &mut Reader) {
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
            let item = Item { text: line.text.to_owned(), ..Item::default() };
            reader.add(draft(&item, reader.language, 1));
        }
        _ if line.marked => reader.list(line.text.trim_end_matches('.')),
        _ => reader.paragraph_or_list(line.text),
    }
}
