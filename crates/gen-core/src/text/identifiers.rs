//! Identifiers with check digits: account numbers, books, goods and payment cards.

use std::sync::LazyLock;

use language::Language;
use language::fold::fold_word;

/// Lengths of IBANs by country, from release 101 of the IBAN Registry that SWIFT maintains for ISO 13616.
const IBAN_LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 \
    DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 \
    IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 \
    NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 \
    TR26 UA29 VA22 VG24 XK20 YE30";
/// Maximum characters of an identifier. More than twice those of an IBAN with spaces: bounds the time.
const MAX_CHARACTERS: usize = 80;

/// A kind of identifier with check digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentifierKind {
    /// An account number (ISO 13616), with check digits by ISO 7064 MOD 97-10.
    Iban,
    /// The number of a book (ISO 2108), of ten or thirteen characters.
    Isbn,
    /// The number of an article (GS1), of 8, 12, 13 or 14 digits.
    Gtin,
    /// The number of a payment card (ISO/IEC 7812), with a check digit by Luhn's algorithm.
    Card,
}

/// Abbreviations in the names of fields, with the kind of identifier.
const NAMES: &[(&[&str], IdentifierKind)] = &[
    (&["iban"], IdentifierKind::Iban),
    (&["isbn", "isbn13", "isbn10"], IdentifierKind::Isbn),
    (&["gtin", "ean", "ean13", "upc"], IdentifierKind::Gtin),
];

/// The words of each name of a payment card's number, in all languages.
static CARD_NUMBERS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let names = Language::all().filter_map(Language::locale).flat_map(|locale| locale.card_numbers.iter());
    names.map(|name| name.split(' ').map(fold_word).collect()).collect()
});

impl IdentifierKind {
    /// The kind of identifier that a field's name asks for.
    pub fn of_name(name: &str) -> Option<Self> {
        let mut spaced = String::with_capacity(name.len());
        let mut lower = false;
        for c in name.chars() {
            if lower && c.is_uppercase() {
                spaced.push(' ');
            }
            lower = c.is_lowercase();
            spaced.extend(c.to_lowercase());
        }
        let words: Vec<String> = spaced.split(|c: char| !c.is_alphanumeric()).map(fold_word).collect();
        let has = |wanted: &str| words.iter().any(|word| word == wanted);
        let abbreviated = NAMES.iter().find(|(names, _)| names.iter().any(|name| has(name)));
        let is_card = || CARD_NUMBERS.iter().any(|name| name.iter().all(|word| has(word)));
        abbreviated.map(|(_, identity)| *identity).or_else(|| is_card().then_some(Self::Card))
    }

    /// The error of a printed identifier, as the end of "its value …". `None` if it is valid or of another
    /// form, such as a card number with masked digits.
    pub fn fault(self, printed: &str) -> Option<&'static str> {
        let plain = compact(printed)?;
        let is_digits = plain.bytes().all(|byte| byte.is_ascii_digit());
        let right = match (self, plain.len()) {
            (Self::Iban, length) => {
                let expected = iban_length(&plain)?;
                if length != expected {
                    return Some("does not have as many characters as an IBAN of its country");
                }
                mod_97(&plain)
            }
            (Self::Isbn, 10)
                if plain.get(..9).is_some_and(|head| head.bytes().all(|byte| byte.is_ascii_digit())) =>
            {
                isbn_10(&plain)
            }
            // Lengths of ISBN-13 (ISO 2108), GTIN-8 and 12 to 14 (GS1) and cards (ISO/IEC 7812).
            (Self::Isbn, 13) | (Self::Gtin, 8 | 12..=14) if is_digits => gs1(&plain),
            (Self::Card, 13..=19) if is_digits => luhn(&plain),
            _ => return None,
        };
        (!right).then_some("has a wrong check digit")
    }
}

/// Letters and digits in upper case without spaces, hyphens and points; `None` with other characters.
fn compact(printed: &str) -> Option<String> {
    let kept = |c: &char| !c.is_whitespace() && !matches!(c, '-' | '.' | '\u{2010}' | '\u{2011}');
    let plain: String = printed.trim().chars().take(MAX_CHARACTERS).filter(kept).collect();
    plain.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| plain.to_ascii_uppercase())
}

/// The length of an IBAN of the country code at the start of `plain`, if two digits follow it.
fn iban_length(plain: &str) -> Option<usize> {
    let country = plain.get(..2)?;
    let digits = plain.get(2..4)?.bytes().all(|byte| byte.is_ascii_digit());
    let entry = IBAN_LENGTHS.split_whitespace().find(|entry| entry.starts_with(country))?;
    entry.get(2..)?.parse().ok().filter(|_| digits && country.len() == 2)
}

/// The check of ISO 7064 MOD 97-10: letters count from ten, and the first four characters go to the end.
fn mod_97(plain: &str) -> bool {
    let (head, tail) = plain.split_at(plain.len().min(4));
    let rest = tail
        .chars()
        .chain(head.chars())
        .filter_map(|c| c.to_digit(36))
        .fold(0, |rest, value| (rest * if value < 10 { 10 } else { 100 } + value) % 97);
    rest == 1
}

fn isbn_10(plain: &str) -> bool {
    let value = |byte: u8| if byte == b'X' { 10 } else { u32::from(byte.wrapping_sub(b'0')) };
    let weighed = plain.bytes().zip((1..=10).rev());
    weighed.map(|(byte, weight)| value(byte) * weight).sum::<u32>() % 11 == 0
}

/// The check digit of GS1: weights 1 and 3 from the right.
fn gs1(plain: &str) -> bool {
    let digits = plain.bytes().rev().map(|byte| u32::from(byte.wrapping_sub(b'0')));
    digits.zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum::<u32>() % 10 == 0
}

fn luhn(plain: &str) -> bool {
    let digits = plain.bytes().rev().map(|byte| u32::from(byte.wrapping_sub(b'0')));
    let weighed = digits.zip([1, 2].into_iter().cycle()).map(|(digit, weight)| digit * weight);
    weighed.map(|product| product / 10 + product % 10).sum::<u32>() % 10 == 0
}

/// The IBANs of a line by country and length, as byte ranges, with whether the check digits are right. An
/// IBAN with wrong check digits must be printed without spaces or in groups of four.
#[must_use]
pub fn ibans(line: &str) -> Vec<(std::ops::Range<usize>, bool)> {
    let mut found: Vec<(std::ops::Range<usize>, bool)> = Vec::new();
    let mut end = 0;
    for (start, _) in line.char_indices().filter(|(_, c)| c.is_ascii_uppercase()) {
        let whole = !line.get(..start).is_some_and(|left| left.ends_with(char::is_alphanumeric));
        if start < end || !whole {
            continue;
        }
        if let Some((range, is_grouped)) = iban_at(line, start) {
            let checks =
                compact(line.get(range.clone()).unwrap_or_default()).is_some_and(|plain| mod_97(&plain));
            if checks || is_grouped {
                end = range.end;
                found.push((range, checks));
            }
        }
    }
    found
}

/// The range of as many characters as an IBAN has from `start`, and whether they are in groups of four.
fn iban_at(line: &str, start: usize) -> Option<(std::ops::Range<usize>, bool)> {
    let rest = line.get(start..)?;
    let mut plain = String::new();
    let (mut wanted, mut group, mut is_grouped) = (usize::MAX, 0, true);
    let mut sizes: Vec<usize> = Vec::new();
    for (at, c) in rest.char_indices() {
        if c.is_ascii_digit() || c.is_ascii_uppercase() {
            plain.push(c);
            group += 1;
            if plain.len() == 4 {
                wanted = iban_length(&plain)?;
            }
            if plain.len() == wanted {
                sizes.push(group);
                let end = at + 1;
                let ends = !rest.get(end..)?.starts_with(char::is_alphanumeric);
                let (_, full) = sizes.split_last()?;
                is_grouped &= full.iter().all(|size| *size == 4);
                return ends.then_some((start..start + end, is_grouped));
            }
        } else if matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '-') && group > 0 {
            sizes.push(std::mem::take(&mut group));
        } else {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_checked_by_length_and_check_digits() {
        for (identity, printed, is_right) in [
            (IdentifierKind::Iban, "DE89 3704 0044 0532 0130 00", true),
            (IdentifierKind::Iban, "GB33BUKB20201555555555", true),
            (IdentifierKind::Iban, "NO93 8601 1117 947", true),
            (IdentifierKind::Iban, "MT84 MALT 0110 0001 2345 MTLC AST0 01S", true),
            (IdentifierKind::Iban, "DE88 3704 0044 0532 0130 00", false),
            (IdentifierKind::Iban, "DE89 3704 0044 0532 0130", false),
            (IdentifierKind::Isbn, "978-3-16-148410-0", true),
            (IdentifierKind::Isbn, "0-306-40615-2", true),
            (IdentifierKind::Isbn, "0-8044-2957-X", true),
            (IdentifierKind::Isbn, "978-3-16-148410-1", false),
            (IdentifierKind::Gtin, "4006381333931", true),
            (IdentifierKind::Gtin, "4006381333932", false),
            (IdentifierKind::Card, "4111 1111 1111 1111", true),
            (IdentifierKind::Card, "4111 1111 1111 1112", false),
            (IdentifierKind::Card, "**** **** **** 1112", true),
        ] {
            assert_eq!(identity.fault(printed).is_none(), is_right, "{printed}");
        }
    }

    #[test]
    fn the_name_of_a_field_tells_its_identity() {
        for (name, identity) in [
            ("sellerIban", Some(IdentifierKind::Iban)),
            ("book_isbn", Some(IdentifierKind::Isbn)),
            ("card_number", Some(IdentifierKind::Card)),
            ("member_number", None),
            ("meaning", None),
        ] {
            assert_eq!(IdentifierKind::of_name(name), identity, "{name}");
        }
    }

    #[test]
    fn ibans_end_where_their_country_says() {
        let line =
            "Pay NO9386011117947 or FR14 2004 1010 0505 0001 3M02 606 BIC PSSTFRPP, AB12 3456 7890 1234";
        let found: Vec<_> = ibans(line).into_iter().map(|(range, checks)| (&line[range], checks)).collect();
        assert_eq!(found, [("NO9386011117947", true), ("FR14 2004 1010 0505 0001 3M02 606", true)]);
        let wrong = ibans("IBAN DE88 3704 0044 0532 0130 00");
        assert_eq!(wrong, [(5..32, false)]);
    }
}
