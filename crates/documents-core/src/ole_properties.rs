//! Metadata of compound file documents: the property set of [MS-OLEPS].

use chrono::{DateTime, Datelike as _, SecondsFormat};
use document::Metadata;

use crate::encoding::codepage;
use crate::ole::{Compound, u16_at, u32_at, u64_at};

/// Seconds between 1601, the epoch of file times, and 1970.
const EPOCH: i64 = 11_644_473_600;

/// Reads title, author and dates.
pub(crate) fn read(file: &Compound<'_>, metadata: &mut Metadata) {
    let Some(stream) = file.root_stream("\u{5}SummaryInformation") else { return };
    let Some(section) = u32_at(&stream, 44).and_then(|place| stream.get(place as usize..)) else { return };
    let count = u32_at(section, 4).unwrap_or(0).min(200) as usize;
    let property = |wanted: u32| {
        let place = (0..count).find(|index| u32_at(section, 8 + index * 8) == Some(wanted))?;
        section.get(u32_at(section, 12 + place * 8)? as usize..)
    };
    let page = property(1).and_then(|value| u16_at(value, 4)).unwrap_or(1_252);
    let text = |wanted| property(wanted).and_then(|value| text_of(value, page));
    metadata.title = text(2);
    metadata.author = text(4);
    metadata.created = property(12).and_then(|value| u64_at(value, 4)).and_then(file_time);
    metadata.modified = property(13).and_then(|value| u64_at(value, 4)).and_then(file_time);
}

fn text_of(value: &[u8], page: u16) -> Option<String> {
    let length = u32_at(value, 4)? as usize;
    let bytes = value.get(8..value.len().min(8_usize.saturating_add(length)))?;
    let text = match u32_at(value, 0)? {
        30 => codepage(page).decode_without_bom_handling(bytes).0.into_owned(),
        31 => {
            let end = value.len().min(8_usize.saturating_add(length.saturating_mul(2)));
            encoding_rs::UTF_16LE.decode_without_bom_handling(value.get(8..end)?).0.into_owned()
        }
        _ => return None,
    };
    let text = text.trim_end_matches('\0').trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// A file time (100 ns since 1601, UTC) as RFC 3339.
pub(crate) fn file_time(ticks: u64) -> Option<String> {
    let seconds = i64::try_from(ticks / 10_000_000).ok()? - EPOCH;
    let time = DateTime::from_timestamp(seconds, 0).filter(|time| ticks != 0 && time.year() <= 9_999)?;
    Some(time.to_rfc3339_opts(SecondsFormat::Secs, true))
}

#[cfg(test)]
mod tests {
    use super::file_time;

    #[test]
    fn file_times_become_dates() {
        assert_eq!(file_time(116_444_736_000_000_000).as_deref(), Some("1970-01-01T00:00:00Z"));
        assert_eq!(file_time(133_482_815_990_000_000).as_deref(), Some("2023-12-28T23:59:59Z"));
        assert_eq!(file_time(0), None);
        assert_eq!(file_time(u64::MAX), None);
    }
}
