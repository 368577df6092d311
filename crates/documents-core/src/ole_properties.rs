//! Metadata of compound file documents: the property set of [MS-OLEPS].

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
    if ticks == 0 || !(-EPOCH..=253_402_300_799).contains(&seconds) {
        return None;
    }
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, date) = civil(day);
    Some(format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z",
        second / 3_600,
        second / 60 % 60,
        second % 60
    ))
}

/// Year, month and day of a day number since 1970-01-01 (Howard Hinnant, `civil_from_days`).
pub(crate) fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted_month + 2) / 5 + 1)
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
