//! Parses machine-readable dates of pages.

/// RFC 3339 when the text has a time with its zone, the date alone when it has one; `None` otherwise.
pub(crate) fn date(text: &str) -> Option<String> {
    let text = text.trim();
    let number = |range: std::ops::Range<usize>| -> Option<u32> {
        let digits = text.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let bytes = text.as_bytes();
    if bytes.get(4) != Some(&b'-') || bytes.get(7) != Some(&b'-') {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    // Web pages are not older.
    if !(1990..2100).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let date = text.get(..10)?;
    let time = || -> Option<String> {
        if !matches!(bytes.get(10)?, b'T' | b't' | b' ') || bytes.get(13) != Some(&b':') {
            return None;
        }
        let (hour, minute) = (number(11..13)?, number(14..16)?);
        let (second, mut rest) = match bytes.get(16) {
            Some(b':') => (number(17..19)?, text.get(19..)?),
            _ => (0, text.get(16..)?),
        };
        if let Some(fraction) = rest.strip_prefix('.') {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        let zone = zone(rest.trim())?;
        (hour < 24 && minute < 60 && second < 60)
            .then(|| format!("{date}T{hour:02}:{minute:02}:{second:02}{zone}"))
    };
    Some(time().unwrap_or_else(|| date.to_owned()))
}

fn zone(text: &str) -> Option<String> {
    if matches!(text, "Z" | "z" | "UTC" | "GMT") {
        return Some("Z".to_owned());
    }
    let sign = text.chars().next().filter(|sign| matches!(sign, '+' | '-'))?;
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = (digits.get(..2)?, digits.get(2..4).unwrap_or("00"));
    // The largest offset from UTC is 14 hours.
    let fits = hours.parse::<u8>().ok()? <= 14 && minutes.parse::<u8>().ok()? < 60 && digits.len() <= 4;
    fits.then(|| format!("{sign}{hours}:{minutes}"))
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn times_have_zones_and_dates_stand_alone() {
        assert_eq!(date("2025-10-22T08:05:00.000Z").as_deref(), Some("2025-10-22T08:05:00Z"));
        assert_eq!(date("2025-10-22T08:05+0200").as_deref(), Some("2025-10-22T08:05:00+02:00"));
        assert_eq!(date("2025-10-22 08:05:00").as_deref(), Some("2025-10-22"));
        assert_eq!(date(" 2025-10-22 ").as_deref(), Some("2025-10-22"));
        for bad in ["", "yesterday", "2025-13-01", "0001-01-01", "2025-1-1", "２０２５-10-22"] {
            assert_eq!(date(bad), None, "{bad}");
        }
    }
}
