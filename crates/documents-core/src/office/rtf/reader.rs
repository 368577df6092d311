//! Interprets the groups and control words of an RTF file, and collects its text.

use std::collections::HashMap;

use super::super::flow::{FlowBlock, Inline};
use super::charset::{code_page, of_charset};
use super::lexer::{Lexer, Token};
use super::paragraph::OpenText;
use super::state::{Destination, GroupEnd, Paragraph, State};
use crate::Limits;
use crate::model::Metadata;

/// Maximum nesting of groups; deeper ones are ignored. Protects memory.
const DEPTH: usize = 1_000;
/// Maximum nesting of notes and frames. Protects memory.
const MAX_ASIDES: usize = 20;
/// Maximum bytes of a font or style name, a label or an instruction. Protects memory.
const SHORT: usize = 4_096;

/// A font: its code page and its name.
#[derive(Debug, Default)]
struct Font {
    code_page: Option<i32>,
    name: String,
}

/// An open field.
#[derive(Debug, Default)]
pub(super) struct Field {
    pub(super) instruction: String,
    pub(super) start: usize,
}

/// Parses an RTF file.
pub(super) struct Reader<'a> {
    lexer: Lexer<'a>,
    pub(super) limits: Limits,
    pub(super) state: State,
    groups: Vec<State>,
    /// Number of open groups beyond the maximum nesting.
    too_deep: usize,
    code_page: i32,
    fonts: HashMap<i32, Font>,
    pub(super) styles: HashMap<i32, String>,
    /// Incomplete bytes of a multi-byte character.
    bytes: Vec<u8>,
    /// Fallback characters to skip after a Unicode character.
    fallback: usize,
    surrogate: Option<u16>,
    pub(super) open: OpenText,
    /// The texts around the open notes and frames.
    pub(super) outer_texts: Vec<OpenText>,
    pub(super) fields: Vec<Field>,
    pub(super) notes: Vec<FlowBlock>,
    pub(super) marks: usize,
    pub(super) metadata: Metadata,
    pub(super) date: [i32; 5],
    length: usize,
    pub(super) paragraphs: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], limits: &Limits) -> Self {
        Self {
            lexer: Lexer::new(bytes),
            limits: *limits,
            state: State::new(),
            groups: Vec::new(),
            too_deep: 0,
            code_page: 1_252,
            fonts: HashMap::new(),
            styles: HashMap::new(),
            bytes: Vec::new(),
            fallback: 0,
            surrogate: None,
            open: OpenText::default(),
            outer_texts: Vec::new(),
            fields: Vec::new(),
            notes: Vec::new(),
            marks: 0,
            metadata: Metadata::default(),
            date: [0; 5],
            length: 0,
            paragraphs: 0,
        }
    }

    /// Runs to the end, or until a limit is reached.
    pub(super) fn run(&mut self) {
        while let Some(token) = self.lexer.next() {
            if self.length > self.limits.text_bytes || self.paragraphs > self.limits.nodes / 4 {
                self.metadata.truncated = true;
                break;
            }
            match token {
                Token::Open => self.open_group(),
                Token::Close => self.close_group(),
                Token::Text(text) => self.raw(text),
                Token::Byte(byte) => self.byte(byte),
                Token::Symbol(symbol) => self.symbol(symbol),
                Token::Word(word, number) => {
                    if self.too_deep == 0 {
                        self.control(word, number);
                    }
                }
            }
        }
    }

    fn control(&mut self, word: &str, number: Option<i32>) {
        self.flush();
        match (word, number) {
            ("u", Some(code)) => {
                self.unicode(code);
                self.fallback = self.state.fallback;
            }
            ("uc", Some(count)) => self.state.fallback = usize::try_from(count).unwrap_or(0).min(16),
            ("bin", Some(count)) => self.lexer.skip_bytes(usize::try_from(count).unwrap_or(0)),
            // A control word counts as one fallback character.
            _ if self.fallback > 0 && !matches!(word, "par" | "cell" | "row" | "uc") => self.fallback -= 1,
            _ => self.word(word, number),
        }
    }

    fn open_group(&mut self) {
        self.flush();
        self.fallback = 0;
        if self.groups.len() >= DEPTH {
            self.too_deep += 1;
            self.metadata.truncated = true;
            return;
        }
        self.groups.push(self.state);
        self.state.ends = None;
        self.state.optional = false;
    }

    fn close_group(&mut self) {
        self.flush();
        self.fallback = 0;
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(outer) = self.groups.pop() else { return };
        let inner = std::mem::replace(&mut self.state, outer);
        match inner.ends {
            Some(GroupEnd::Note) => self.end_note(),
            Some(GroupEnd::Frame) => self.end_frame(),
            Some(GroupEnd::Field) => {
                self.fields.pop();
            }
            Some(GroupEnd::FieldResult) => self.end_result(),
            None => {}
        }
        if inner.destination != outer.destination {
            self.end_date(inner.destination);
        }
    }

    fn raw(&mut self, text: &'a [u8]) {
        let skipped = self.fallback.min(text.len());
        self.fallback -= skipped;
        self.bytes.extend_from_slice(text.get(skipped..).unwrap_or_default());
    }

    fn byte(&mut self, byte: u8) {
        if self.fallback > 0 {
            self.fallback -= 1;
        } else {
            self.bytes.push(byte);
        }
    }

    fn symbol(&mut self, symbol: u8) {
        if self.fallback > 0 && symbol != b'*' {
            self.fallback -= 1;
            return;
        }
        match symbol {
            b'*' => self.state.optional = true,
            b'\\' | b'{' | b'}' => self.bytes.push(symbol),
            b'~' => self.push("\u{a0}"),
            b'_' => self.push("\u{2011}"),
            b'\t' => self.push("\t"),
            _ => {}
        }
    }

    /// The character of a UTF-16 unit, which RTF writes as a signed number.
    fn unicode(&mut self, code: i32) {
        let Ok(unit) = u16::try_from(if code < 0 { code + 65_536 } else { code }) else {
            let character = u32::try_from(code).ok().and_then(char::from_u32);
            return self.push(character.unwrap_or('\u{fffd}').encode_utf8(&mut [0; 4]));
        };
        if (0xd800..0xdc00).contains(&unit) {
            self.surrogate = Some(unit);
            return;
        }
        let units: Vec<u16> = self.surrogate.take().into_iter().chain([unit]).collect();
        let text = if (0xf000..=0xf0ff).contains(&unit) {
            self.symbol_of_font(unit)
        } else {
            String::from_utf16_lossy(&units)
        };
        self.push(&text);
    }

    fn symbol_of_font(&self, unit: u16) -> String {
        let font = self.fonts.get(&self.state.font).map(|font| font.name.as_str());
        let code = format!("{unit:x}");
        super::super::symbols::character(font, Some(&code)).map(String::from).unwrap_or_default()
    }

    /// Decodes the collected bytes.
    fn flush(&mut self) {
        if self.bytes.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.bytes);
        if self.too_deep > 0 {
            return;
        }
        let font = self.fonts.get(&self.state.font);
        let page = font.and_then(|font| font.code_page).unwrap_or(self.code_page);
        let (text, _) = code_page(page).decode_without_bom_handling(&bytes);
        self.push(&text);
    }

    /// Appends text to the current destination.
    pub(super) fn push(&mut self, text: &str) {
        self.length += text.len();
        match self.state.destination {
            Destination::Text if !self.state.hidden && !self.state.deleted => {
                self.open.properties = self.state.paragraph;
                self.open.text.push(text);
            }
            Destination::Label if self.open.label.len() < SHORT => self.open.label.push_str(text),
            Destination::Instruction => {
                if let Some(field) = self.fields.last_mut().filter(|field| field.instruction.len() < SHORT) {
                    field.instruction.push_str(text);
                }
            }
            Destination::Fonts => {
                let font = self.fonts.entry(self.state.font).or_default();
                if font.name.len() < SHORT {
                    font.name.push_str(text.trim_end_matches(';'));
                }
            }
            Destination::Styles => {
                let name = self.styles.entry(self.state.paragraph.style.unwrap_or(0)).or_default();
                if name.len() < SHORT {
                    name.push_str(text);
                }
            }
            Destination::Title => self.metadata.title.get_or_insert_default().push_str(text),
            Destination::Author => self.metadata.author.get_or_insert_default().push_str(text),
            _ => {}
        }
    }

    pub(super) fn set_code_page(&mut self, number: i32) {
        self.code_page = number;
    }

    pub(super) fn set_charset(&mut self, charset: i32) {
        self.fonts.entry(self.state.font).or_default().code_page = of_charset(charset);
    }

    /// The blocks, notes at the end, and the metadata.
    pub(super) fn finish(mut self) -> (Vec<FlowBlock>, Metadata) {
        self.flush();
        while let Some(outer) = self.outer_texts.pop() {
            let inner = std::mem::replace(&mut self.open, outer);
            self.open.boxes.extend(inner.finish(&self.styles));
        }
        let mut blocks = std::mem::take(&mut self.open).finish(&self.styles);
        blocks.append(&mut self.notes);
        let trimmed =
            |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        self.metadata.title = trimmed(self.metadata.title);
        self.metadata.author = trimmed(self.metadata.author);
        (blocks, self.metadata)
    }

    pub(super) fn reset_paragraph(&mut self) {
        self.state.paragraph = Paragraph::default();
    }

    /// Puts the current text aside while a note or frame is parsed.
    pub(super) fn push_text(&mut self, ends: GroupEnd) {
        if self.outer_texts.len() < MAX_ASIDES {
            self.outer_texts.push(std::mem::take(&mut self.open));
            self.state.ends = Some(ends);
        }
    }

    fn end_note(&mut self) {
        let Some(outer) = self.outer_texts.pop() else { return };
        let inner = std::mem::replace(&mut self.open, outer);
        let text = super::super::flow::flattened(&inner.finish(&self.styles));
        self.notes.push(FlowBlock::Footnote { label: self.marks.to_string(), text });
    }

    fn end_frame(&mut self) {
        let Some(outer) = self.outer_texts.pop() else { return };
        let inner = std::mem::replace(&mut self.open, outer);
        self.open.boxes.extend(inner.finish(&self.styles));
    }

    fn end_result(&mut self) {
        if let Some(field) = self.fields.last()
            && let Some(url) = super::super::docx::hyperlink(&field.instruction)
        {
            self.open.text.link(field.start, &url);
        }
    }

    /// Stores the date of a finished destination.
    fn end_date(&mut self, destination: Destination) {
        let [year, month, day, hour, minute] = self.date;
        let date = (year > 0).then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"));
        match destination {
            Destination::Created => self.metadata.created = date,
            Destination::Modified => self.metadata.modified = date,
            _ => return,
        }
        self.date = [0; 5];
    }
}

/// The mark of a note.
pub(super) fn mark(number: usize) -> Inline {
    Inline::plain(format!("[^{number}]"))
}
