//! Exif metadata of pictures. Source: Exif 3.0 (CIPA DC-008), sections 4.6.5 and 4.6.6; TIFF 6.0, section 2.

use document::Metadata;

const DESCRIPTION: u16 = 0x010e;
const CHANGED: u16 = 0x0132;
const ARTIST: u16 = 0x013b;
/// Tag that points to the Exif directory.
const EXIF: u16 = 0x8769;
const TAKEN: u16 = 0x9003;
/// The type of text values.
const ASCII: u16 = 2;
/// Maximum entries of a directory, and maximum bytes of a text.
const ENTRIES: usize = 200;
const TEXT: usize = 2_000;

/// Reads title, author and dates from the two directories. Damaged entries are skipped.
pub(super) fn read(exif: &[u8], metadata: &mut Metadata) {
    let little = match exif.get(..4) {
        Some(b"II*\0") => true,
        Some(b"MM\0*") => false,
        _ => return,
    };
    let file = File { bytes: exif, little };
    let Some(first) = file.long(4) else { return };
    metadata.title = file.text(first, DESCRIPTION);
    metadata.author = file.text(first, ARTIST);
    metadata.modified = file.text(first, CHANGED).and_then(|date| date_of(&date));
    let inner = file.entry(first, EXIF).and_then(|entry| file.long(entry + 8));
    metadata.created = inner.and_then(|inner| file.text(inner, TAKEN)).and_then(|date| date_of(&date));
}

struct File<'a> {
    bytes: &'a [u8],
    little: bool,
}

impl File<'_> {
    fn short(&self, at: usize) -> Option<u16> {
        let two = self.bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if self.little { u16::from_le_bytes(two) } else { u16::from_be_bytes(two) })
    }

    fn long(&self, at: usize) -> Option<usize> {
        let four = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        usize::try_from(if self.little { u32::from_le_bytes(four) } else { u32::from_be_bytes(four) }).ok()
    }

    /// Offset of a tag's entry in the directory at `directory`.
    fn entry(&self, directory: usize, tag: u16) -> Option<usize> {
        let entries = usize::from(self.short(directory)?).min(ENTRIES);
        (0..entries).map(|index| directory + 2 + 12 * index).find(|entry| self.short(*entry) == Some(tag))
    }

    fn text(&self, directory: usize, tag: u16) -> Option<String> {
        let entry = self.entry(directory, tag)?;
        let length = self.long(entry + 4)?;
        if self.short(entry + 2)? != ASCII || length > TEXT {
            return None;
        }
        let at = if length <= 4 { entry + 8 } else { self.long(entry + 8)? };
        let text = String::from_utf8_lossy(self.bytes.get(at..at.checked_add(length)?)?).into_owned();
        let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
        (!text.is_empty()).then(|| text.to_owned())
    }
}

/// Converts `YYYY:MM:DD hh:mm:ss` to `YYYY-MM-DDThh:mm:ss`; camera times have no zone.
fn date_of(text: &str) -> Option<String> {
    let (date, time) = text.split_once(' ')?;
    let is_number =
        |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = |text: &str, lengths: [usize; 3]| {
        let parts: Vec<&str> = text.split(':').collect();
        parts.len() == 3 && parts.iter().zip(lengths).all(|(part, length)| is_number(part, length))
    };
    // The clock of a camera may never have been set.
    let is_date = parts(date, [4, 2, 2]) && parts(time, [2, 2, 2]) && !date.starts_with("0000");
    is_date.then(|| format!("{}T{time}", date.replace(':', "-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of texts, followed by the Exif directory.
    fn exif(texts: &[(u16, &str)], taken: &str) -> Vec<u8> {
        let mut head = b"MM\0*\0\0\0\x08".to_vec();
        let mut tail: Vec<u8> = Vec::new();
        let directory = |entries: usize| 2 + 12 * entries + 4;
        let inner_at = 8 + directory(texts.len() + 1);
        let tail_at = inner_at + directory(1);
        let mut entry = |head: &mut Vec<u8>, tag: u16, text: &str| {
            head.extend(tag.to_be_bytes());
            head.extend(ASCII.to_be_bytes());
            head.extend((text.len() as u32 + 1).to_be_bytes());
            head.extend(((tail_at + tail.len()) as u32).to_be_bytes());
            tail.extend(text.bytes().chain([0]));
        };
        head.extend((texts.len() as u16 + 1).to_be_bytes());
        for (tag, text) in texts {
            entry(&mut head, *tag, text);
        }
        head.extend(EXIF.to_be_bytes());
        head.extend([0, 4, 0, 0, 0, 1]);
        head.extend((inner_at as u32).to_be_bytes());
        head.extend([0; 4]);
        head.extend([0, 1]);
        entry(&mut head, TAKEN, taken);
        head.extend([0; 4]);
        head.extend(tail);
        head
    }

    #[test]
    fn title_author_and_dates_are_read() {
        let mut metadata = Metadata::default();
        let texts = [(DESCRIPTION, "A quay"), (CHANGED, "2024:03:01 10:11:12"), (ARTIST, "R. Moss")];
        let exif = exif(&texts, "2023:12:31 23:59:58");
        read(&exif, &mut metadata);
        assert_eq!(metadata.title.as_deref(), Some("A quay"));
        assert_eq!(metadata.author.as_deref(), Some("R. Moss"));
        assert_eq!(metadata.modified.as_deref(), Some("2024-03-01T10:11:12"));
        assert_eq!(metadata.created.as_deref(), Some("2023-12-31T23:59:58"));
        for cut in 0..exif.len() {
            read(&exif[..cut], &mut Metadata::default());
        }
    }

    #[test]
    fn a_date_that_is_none_is_left_out() {
        for text in ["0000:00:00 00:00:00", "2024-01-01 00:00:00", "    :  :     :  :  ", "20240:01:0100 0"] {
            assert_eq!(date_of(text), None, "{text}");
        }
    }
}
