//! One way of writing: quotes, dashes, bullets and punctuation of other scripts become plain ones.

use unicode_normalization::UnicodeNormalization as _;

/// `text` in normal form C with plain punctuation, without control characters and Markdown emphasis.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut line_begins = true;
    let text = text.replace("[ ]", "").replace("[x]", "");
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
    out.replace("**", "").replace("(s)", "s").replace("(es)", "es").replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn typographic_signs_become_plain_ones() {
        assert_eq!(clean("• “Name” – 1–5\r\n◦ l’âge\u{0}"), "- \"Name\" - 1-5\n\n- l'âge");
        assert_eq!(clean("姓名、电话（选填）"), "姓名, 电话 (选填) ");
    }
}
