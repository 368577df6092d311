//! Field patterns for people: an example that matches, and the user's text normalised to the pattern.

use forms_core::{Field, read_answer};
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::Value;

/// Most characters of an example. Bounds hostile patterns and the question. Chosen by hand; no measurement is
/// recorded.
const MAX_CHARS: usize = 60;
/// Repetitions in an example for an unbounded repetition such as `+`. Chosen by hand; no measurement is
/// recorded.
const SOME_REPEATS: u32 = 3;

/// A text that passes the field's pattern and its other rules, such as `AB-123456`. `None` when the field has
/// no pattern, or no text of at most [`MAX_CHARS`] was found.
pub(super) fn example(field: &Field) -> Option<String> {
    let pattern = field.pattern.as_ref()?;
    let hir = regex_syntax::parse(pattern.as_str()).ok()?;
    let mut writer = ExampleWriter::default();
    writer.write(&hir)?;
    let fits =
        read_answer(field, &Value::from(writer.text.as_str())) == Ok(Some(writer.text.as_str().into()));
    fits.then_some(writer.text)
}

/// The text with the punctuation and case of the pattern: `AB-123456` for `ab 123456`. `None` when it cannot
/// be normalised to a valid value.
pub(super) fn normalize_to_pattern(field: &Field, said: &str) -> Option<Value> {
    let example = example(field)?;
    let is_mark = |c: &char| !c.is_alphanumeric();
    let mut rest = said.chars().filter(|c| !is_mark(c));
    let mut text = String::new();
    for c in example.chars() {
        text.push(if is_mark(&c) { c } else { rest.next()? });
    }
    // Only separators may differ. Other punctuation means that the text is not the code in another notation.
    let strange = said.chars().any(|c| is_mark(&c) && !c.is_whitespace() && !"-_./".contains(c));
    if strange || rest.next().is_some() {
        return None;
    }
    let tries = [text.to_uppercase(), text.to_lowercase(), text];
    tries.into_iter().find_map(|text| read_answer(field, &Value::from(text)).ok().flatten())
}

/// Generates one text for a pattern. Letters and digits count up: `A`, `B`, `1`, `2`.
#[derive(Default)]
struct ExampleWriter {
    text: String,
    letters: u8,
    digits: u8,
}

impl ExampleWriter {
    /// `None` when the text grows too long, or no character fits.
    fn write(&mut self, hir: &Hir) -> Option<()> {
        if self.text.len() > MAX_CHARS {
            return None;
        }
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => Some(()),
            HirKind::Literal(literal) => {
                self.text.push_str(std::str::from_utf8(&literal.0).ok()?);
                Some(())
            }
            HirKind::Class(class) => {
                let c = self.pick_char(class)?;
                self.text.push(c);
                Some(())
            }
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or_else(|| repetition.min.max(SOME_REPEATS));
                // Optional parts are omitted.
                let count = if repetition.min == 0 { 0 } else { repetition.min.max(SOME_REPEATS).min(most) };
                (0..count).try_for_each(|_| self.write(&repetition.sub))
            }
            HirKind::Capture(capture) => self.write(&capture.sub),
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.write(part)),
            HirKind::Alternation(parts) => self.write(parts.first()?),
        }
    }

    fn pick_char(&mut self, class: &Class) -> Option<char> {
        let has = |c: char| match class {
            Class::Unicode(class) => {
                class.ranges().iter().any(|range| range.start() <= c && c <= range.end())
            }
            Class::Bytes(class) => class
                .ranges()
                .iter()
                .any(|range| (range.start()..=range.end()).any(|byte| char::from(byte) == c)),
        };
        let digit = char::from(b'1' + self.digits % 9);
        let letters = [b'A', b'a'].map(|first| char::from(first + self.letters % 26));
        // A class of letters and digits is represented by a letter, then a digit; any other by its first
        // printable ASCII character.
        let any = (' '..='~').find(|c| has(*c));
        let c = letters.into_iter().chain([digit]).find(|c| has(*c)).or(any)?;
        if c.is_ascii_digit() {
            self.digits = self.digits.wrapping_add(1);
        } else {
            self.letters = self.letters.wrapping_add(1);
        }
        Some(c)
    }
}

#[cfg(test)]
mod tests {
    use forms_core::FormSchema;
    use serde_json::json;

    use super::*;

    fn field(pattern: &str) -> Field {
        let schema = json!({"code": {"type": "string", "pattern": pattern}});
        FormSchema::parse(schema.as_object().unwrap()).unwrap().fields.remove(0)
    }

    #[test]
    fn an_example_looks_like_what_is_wanted() {
        for (pattern, wanted) in [
            (r"^[A-Z]{2}-\d{6}$", Some("AB-123456")),
            (r"^(\+\d{2} )?\d{3} \d{4}$", Some("123 4567")),
            (r"^(DE|FR)[0-9]{5}$", Some("DE12345")),
            (r"^[a-z]+\.[a-z]+$", Some("abc.def")),
            (r"^#[0-9a-f]{3}$", Some("#abc")),
            (r"^[aeiou]{2}$", Some("aa")),
            (r"^\d{100}$", None),
            (r"^$", None),
            (r"^[\x{4e00}-\x{4e10}]$", None),
        ] {
            assert_eq!(example(&field(pattern)).as_deref(), wanted, "{pattern}");
        }
        let mut free = field("^a$");
        free.pattern = None;
        assert_eq!(example(&free), None);
    }

    #[test]
    fn marks_and_case_are_put_right_and_nothing_else() {
        let field = field(r"^[A-Z]{2}-\d{6}$");
        for said in ["ab 123456", "AB123456", "ab-123456", " Ab - 123 456 "] {
            assert_eq!(normalize_to_pattern(&field, said), Some(json!("AB-123456")), "{said}");
        }
        for said in ["ab 12345", "ab 1234567", "a1 123456", "it is ab 123456", "ab+123456", ""] {
            assert_eq!(normalize_to_pattern(&field, said), None, "{said}");
        }
    }
}
