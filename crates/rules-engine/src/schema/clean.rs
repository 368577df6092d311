//! Normalises text: quotes, dashes, bullets and punctuation of other scripts become ASCII.

use language::Language;
use language::boolean::parse_boolean;
use language::form_words::FormWords;
use unicode_normalization::UnicodeNormalization as _;

use super::snake_case::fold;

/// Converts rows of a Markdown table to bullets, with the further cells in parentheses.
fn without_tables(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect())
    };
    let rule = |line: Option<&&str>| {
        line.and_then(|line| cells(line)).is_some_and(|cells| {
            cells.iter().all(|cell| cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' ')))
        })
    };
    let required = marks().first().map(|word| format!(" ({word})")).unwrap_or_default();
    let (mut out, mut header) = (String::with_capacity(text.len()), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        match cells(line) {
            Some(names) if rule(lines.get(at + 1)) => header = names,
            Some(_) if rule(Some(line)) => {}
            Some(row) => {
                out.push_str(&format!("- {}", row.first().map_or("", String::as_str)));
                for (n, cell) in row.iter().enumerate().skip(1).filter(|(_, cell)| !cell.is_empty()) {
                    let asks = header.get(n).is_some_and(|name| says_required(name));
                    match (asks, parse_boolean(cell)) {
                        (true, Some(true)) => out.push_str(&required),
                        (true, _) => {}
                        (false, _) => out.push_str(&format!(" ({cell})")),
                    }
                }
                out.push('\n');
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Whether the head of a column asks whether a field is required, in any language.
fn says_required(head: &str) -> bool {
    let head = fold(head);
    marks().iter().any(|word| head.contains(word.as_str()))
}

/// Words for a required field in all languages, English first.
fn marks() -> &'static [String] {
    FormWords::of(Language::UNKNOWN).list("required_before")
}

/// Puts numbered points within a line on lines of their own.
fn numbered_apart(text: &str) -> String {
    let point = |n: usize, sign: char| format!(" {n}{sign} ");
    let Some(sign) = ['.', ')']
        .into_iter()
        .find(|sign| text.contains(&point(1, *sign)) && text.contains(&point(2, *sign)))
    else {
        return text.to_owned();
    };
    (1..=99)
        .take_while(|n| text.contains(&point(*n, sign)))
        .fold(text.to_owned(), |text, n| text.replacen(&point(n, sign), &format!("\n{n}. "), 1))
}

/// Splits camel case such as `firstName`. `pH`, `kWh` and capitalised names stay.
fn words_apart(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let starts: Vec<usize> =
            bare.char_indices().filter(|(_, c)| c.is_uppercase()).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([bare.len()]);
        let camel = starts.first().is_some_and(|at| *at >= 2)
            && starts.iter().zip(ends).all(|(at, end)| end - at >= 2)
            && bare != "mmHg";
        for (at, c) in word.char_indices() {
            if camel && starts.contains(&at) {
                out.push(' ');
                out.extend(c.to_lowercase());
            } else {
                out.push(c);
            }
        }
    }
    out
}

/// `text` in NFC with ASCII punctuation, without control characters and Markdown emphasis.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line_begins = true;
    let text = numbered_apart(&without_tables(text)).replace("[ ]", "").replace("[x]", "");
    for c in text.nfc() {
        let plain = match c {
            '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{b}' | '\u{c}' => "\n",
            '\t' => "    ",
            '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => " ",
            '‘' | '’' | '‚' | '‛' | '′' | 'ʼ' => "'",
            '“' | '”' | '„' | '‟' | '«' | '»' | '「' | '」' | '『' | '』' | '″' => "\"",
            '–' | '—' | '−' | '‒' | '―' | '‐' | '‑' => "-",
            '，' | '、' | '،' => ", ",
            '；' | '؛' => "; ",
            '：' => ": ",
            '（' | '【' => " (",
            '）' | '】' => ") ",
            '。' => ". ",
            '？' | '؟' => "? ",
            '／' => "/",
            '•' | '◦' | '▪' | '‣' | '●' | '○' | '■' | '□' | '▢' | '☐' | '☑' | '✓' | '✔' | '➤' | '→' | '·'
                if line_begins =>
            {
                "-"
            }
            '•' | '·' => "; ",
            '`' => "\"",
            '[' | '{' => "(",
            ']' | '}' => ")",
            _ if c.is_control() && c != '\n' => "",
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => "",
            _ => {
                out.push(c);
                line_begins = c == '\n' || (line_begins && c == ' ');
                continue;
            }
        };
        out.push_str(plain);
        line_begins = plain == "\n" || (line_begins && plain.trim().is_empty());
    }
    words_apart(out.trim_end()).replace("**", "").replace("(s)", "s").replace("(es)", "es").replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn tables_points_and_joined_words_become_lines_and_words() {
        let table =
            "| Field | Type | Required |\n|---|---|---|\n| name | string | yes |\n| age | integer | no |";
        assert_eq!(clean(table), "- name (string) (required)\n- age (integer)");
        assert_eq!(clean("give 1. name 2. age"), "give\n1. name\n2. age");
        assert_eq!(clean("firstName isActive kWh mmHg LinkedIn"), "first name is active kWh mmHg LinkedIn");
    }

    #[test]
    fn typographic_signs_become_plain_ones() {
        assert_eq!(clean("• “Name” – 1–5\r\n◦ l’âge\u{0}"), "- \"Name\" - 1-5\n- l'âge");
        assert_eq!(clean("姓名、电话（选填）"), "姓名, 电话 (选填)");
    }
}
