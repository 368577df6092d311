//! Reads scripts.

/// One conversation of a file; conversations begin with a line `# title`.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    pub(crate) title: String,
    pub(crate) form: String,
    pub(crate) steps: Vec<Step>,
}

/// One line of a conversation, with its number in the file.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) key: String,
    pub(crate) text: String,
}

const KEYS: [&str; 12] = [
    "form", "language", "document", "weak", "given", "implied", "user", "reply", "values", "marks", "phase",
    "says",
];

pub(crate) fn conversations(text: &str) -> Vec<Conversation> {
    let mut out: Vec<Conversation> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(title) = line.strip_prefix("# ") {
            out.push(Conversation { title: title.to_owned(), ..Conversation::default() });
            continue;
        }
        if line.is_empty() {
            continue;
        }
        let (key, text) = line.split_once(':').unwrap_or_else(|| panic!("line {}: {line}", number + 1));
        assert!(KEYS.contains(&key), "line {}: unknown key '{key}'", number + 1);
        let conversation = out.last_mut().expect("a script begins with a title");
        let text = text.trim().to_owned();
        match key {
            "form" => conversation.form = text,
            _ => conversation.steps.push(Step { line: number + 1, key: key.to_owned(), text }),
        }
    }
    out
}
