//! Compressed rich text of Outlook messages ([MS-OXRTFCP]).

use crate::ole::u32_at;

/// Initial content of the dictionary.
const START: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
const COMPRESSED: u32 = 0x7546_5a4c;
const PLAIN: u32 = 0x414c_454d;
/// Bytes of the dictionary, which is a ring buffer.
const WINDOW: usize = 4_096;

/// The decompressed rich text, at most `limit` bytes.
pub(super) fn decompressed(bytes: &[u8], limit: usize) -> Option<Vec<u8>> {
    let content = bytes.get(16..)?;
    let size = (u32_at(bytes, 4)? as usize).min(limit);
    match u32_at(bytes, 8)? {
        PLAIN => Some(content.get(..size.min(content.len()))?.to_vec()),
        COMPRESSED => Some(expand(content, size)),
        _ => None,
    }
}

fn expand(content: &[u8], size: usize) -> Vec<u8> {
    let mut window = [0_u8; WINDOW];
    window[..START.len()].copy_from_slice(START);
    let mut write = START.len();
    let mut out: Vec<u8> = Vec::new();
    let mut input = content.iter().copied();
    'input: while let Some(control) = input.next() {
        for bit in 0..8 {
            if out.len() >= size {
                break 'input;
            }
            let Some(first) = input.next() else { break 'input };
            if control & (1 << bit) == 0 {
                out.push(first);
                window[write] = first;
                write = (write + 1) % WINDOW;
                continue;
            }
            let Some(second) = input.next() else { break 'input };
            let reference = usize::from(u16::from_be_bytes([first, second]));
            let (place, length) = (reference >> 4, (reference & 15) + 2);
            if place == write {
                break 'input;
            }
            for step in 0..length {
                let byte = window[(place + step) % WINDOW];
                out.push(byte);
                window[write] = byte;
                write = (write + 1) % WINDOW;
            }
        }
    }
    out
}

/// The HTML encapsulated in rich text that was made from HTML ([MS-OXRTFEX]).
pub(super) fn encapsulated_html(rtf: &[u8]) -> Option<String> {
    let head = rtf.get(..rtf.len().min(1_024))?;
    if !head.windows(9).any(|part| part == b"\\fromhtml") {
        return None;
    }
    Some(Html { rtf, at: 0, out: Vec::new(), groups: vec![Group::default()] }.read())
}

/// State of a group of rich text.
#[derive(Clone, Copy, Default)]
struct Group {
    /// Within a destination whose text is not part of the page.
    skipped: bool,
    /// Within an HTML tag.
    tag: bool,
    /// Within text that repeats the page for plain RTF readers.
    repeats: bool,
}

struct Html<'a> {
    rtf: &'a [u8],
    at: usize,
    out: Vec<u8>,
    groups: Vec<Group>,
}

impl Html<'_> {
    fn read(mut self) -> String {
        while let Some(&byte) = self.rtf.get(self.at) {
            self.at += 1;
            match byte {
                b'{' => {
                    let group = self.groups.last().copied().unwrap_or_default();
                    // Deeper groups are ignored.
                    if self.groups.len() < 1_000 {
                        self.groups.push(group);
                    }
                }
                b'}' => {
                    if self.groups.len() > 1 {
                        self.groups.pop();
                    }
                }
                b'\\' => self.control(),
                b'\r' | b'\n' => {}
                other => self.push(other),
            }
        }
        encoding_rs::WINDOWS_1252.decode_without_bom_handling(&self.out).0.into_owned()
    }

    fn push(&mut self, byte: u8) {
        if self.groups.last().is_some_and(|group| !group.skipped && (group.tag || !group.repeats)) {
            self.out.push(byte);
        }
    }

    fn control(&mut self) {
        let rest = self.rtf.get(self.at..).unwrap_or_default();
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 {
            self.symbol(rest);
            return;
        }
        let digits =
            rest[letters..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'-').count();
        let name = &rest[..letters];
        let number = std::str::from_utf8(&rest[letters..letters + digits]).unwrap_or_default();
        self.at += letters + digits;
        if self.rtf.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        let Some(group) = self.groups.last_mut() else { return };
        match name {
            b"htmltag" => (group.tag, group.skipped) = (true, false),
            b"htmlrtf" => group.repeats = number != "0",
            b"fonttbl" | b"colortbl" | b"stylesheet" | b"info" | b"pntext" | b"mhtmltag" => {
                group.skipped = true
            }
            b"par" | b"line" => self.push(b'\n'),
            b"tab" => self.push(b'\t'),
            b"u" => {
                let unit = number.parse::<i32>().unwrap_or(0);
                let character = u32::try_from(if unit < 0 { unit + 65_536 } else { unit }).ok();
                for byte in format!("&#{};", character.unwrap_or(0xfffd)).bytes() {
                    self.push(byte);
                }
                // The fallback character for programs without Unicode.
                if self.rtf.get(self.at) == Some(&b'?') {
                    self.at += 1;
                }
            }
            b"lquote" | b"rquote" => self.push(b'\''),
            b"ldblquote" | b"rdblquote" => self.push(b'"'),
            b"endash" | b"emdash" => self.push(b'-'),
            b"bullet" => self.push(0x95),
            _ => {}
        }
    }

    fn symbol(&mut self, rest: &[u8]) {
        self.at += 1;
        match rest.first() {
            Some(b'\'') => {
                let code = rest.get(1..3).and_then(|two| std::str::from_utf8(two).ok());
                if let Some(byte) = code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
                    self.push(byte);
                }
                self.at += 2;
            }
            Some(b'*') => {
                let next = rest.get(1..).unwrap_or_default();
                if !next.starts_with(b"\\htmltag")
                    && let Some(group) = self.groups.last_mut()
                {
                    group.skipped = true;
                }
            }
            Some(b'~') => self.push(b' '),
            Some(byte @ (b'\\' | b'{' | b'}')) => self.push(*byte),
            _ => {}
        }
    }
}
