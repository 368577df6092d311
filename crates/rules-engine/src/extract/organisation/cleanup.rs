//! Removes what is printed around the name of a line.

use forms_core::labels::words;
use language::fold::fold_word;
use language::label::NameWord;

use super::super::address;

/// Characters around names.
pub(super) const MARKS: &[char] = &['#', '*', '_', ' ', '|', '>', '<'];

/// The name of a line without marks, label, registration number and address.
pub(super) fn clean(printed: &str) -> &str {
    let mut name = printed.trim().trim_start_matches(MARKS).trim_end_matches(['*', '_', '|', ' ']);
    // "Seller: Acme Ltd", "Operated by: Acme Ltd"
    if let Some((label, value)) = name.split_once(':')
        && (fold_word(label).ends_with("by") && label.split_whitespace().count() <= 3
            || words(label)
                .iter()
                .all(|word| matches!(word.as_ref(), "vendor" | "company" | "name" | "issuer" | "sold")))
        && !value.trim().is_empty()
    {
        name = value.trim();
    }
    // "000002 ACME": the number of a branch.
    if let Some((first, rest)) = name.split_once(' ')
        // Shorter numbers may belong to the name, as in `24 Hours`. Chosen by hand; no measurement is
        // recorded.
        && first.len() >= 4
        && first.bytes().all(|byte| byte.is_ascii_digit())
    {
        name = rest.trim_start();
    }
    let name = without_registration(without_sender_line(name));
    // "Acme Invoice": the title of the document after the name.
    match name.rsplit_once(' ') {
        Some((rest, last)) if rest.contains(' ') && NameWord::IssuerSuffix.has(&fold_word(last)) => {
            rest.trim_end()
        }
        _ => name,
    }
}

/// The name before an address on the same line: `Acme GmbH - Weg 1 - 12345 Berlin`.
pub(super) fn without_sender_line(name: &str) -> &str {
    for separator in [" - ", " – ", " · ", " • ", " | ", ", "] {
        if let Some((first, rest)) = name.split_once(separator)
            && rest.chars().any(|c| c.is_ascii_digit())
            && address::looks(rest) >= 1
            && first.chars().filter(|c| c.is_alphabetic()).count() >= 3
        {
            return first.trim_end();
        }
    }
    name
}

/// The name without a registration number, in brackets or after it, and without what follows.
pub(super) fn without_registration(name: &str) -> &str {
    let registered = |text: &str| {
        let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.chars().filter(char::is_ascii_digit).count();
        // Registration numbers have at least four digits and few letters, as `123456-A`; shop numbers have
        // fewer.
        digits >= 4 && bare.chars().filter(|c| c.is_alphabetic()).count() <= 3
    };
    let mut from = 0;
    let mut cut = name.len();
    if let Some(open) = name.find(['(', '<']).filter(|open| {
        *open > 2
            && name
                .get(open + 1..)
                .is_some_and(|rest| registered(rest.split([')', '>']).next().unwrap_or_default()))
    }) {
        return name.get(..open).unwrap_or(name).trim_end_matches([',', '-', ':', ' ']);
    }
    for word in name.split(' ') {
        if from > 2 && registered(word) {
            cut = from;
            break;
        }
        from += word.len() + 1;
    }
    let mut kept = name.get(..cut).unwrap_or(name).trim_end();
    while cut < name.len() {
        let Some((rest, last)) = kept.rsplit_once(' ') else { break };
        let last = fold_word(last);
        if !last.is_empty() && !NameWord::Register.has(&last) {
            break;
        }
        kept = rest.trim_end();
    }
    // A bracket that is open after the number was removed.
    if let Some(open) = kept
        .rfind(['(', '<'])
        .filter(|open| *open > 2 && !kept.get(*open..).is_some_and(|rest| rest.contains([')', '>'])))
    {
        kept = kept.get(..open).unwrap_or(kept);
    }
    kept.trim_end_matches([',', '-', ':', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_number_and_an_address_are_no_part_of_the_name() {
        for (printed, name) in [
            ("ACME TRADING SDN BHD (123456-A)", "ACME TRADING SDN BHD"),
            ("Miller & Sons Ltd", "Miller & Sons Ltd"),
            ("Shop 24", "Shop 24"),
            ("FOO BAR 000123456-T", "FOO BAR"),
            ("ACME S/B 273500-U (KSB)", "ACME S/B"),
            ("ACME (M) LTD (CO. REG 123456)", "ACME (M) LTD"),
            ("Acme GmbH - Uferweg 40 - 63571 Gelnhausen", "Acme GmbH"),
            ("Seller: Acme Ltd", "Acme Ltd"),
            ("000002 ACME LTD", "ACME LTD"),
        ] {
            assert_eq!(clean(printed), name);
        }
    }
}
