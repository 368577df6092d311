//! Whether a document shows a payment that was made: a sum, the larger sum that was given, and the change. It needs no words,
//! so it holds in every language.

/// Lines with sums between the sum and the payment at most. Chosen by hand: discounts, taxes and roundings stand there.
const MAX_BETWEEN: usize = 8;
/// Lines with sums that are looked at. Bounds the time.
const MAX_SUMS: usize = 400;

/// Whether one of the last sums of three lines is the difference of the two before it, of which the later is the larger.
pub(super) fn shows_change(text: &str) -> bool {
    let sums: Vec<u64> = text.lines().filter_map(last_sum).take(MAX_SUMS).collect();
    sums.windows(2).enumerate().any(|(place, pair)| {
        let [given, change] = pair else { return false };
        let owed = given.checked_sub(*change).filter(|owed| *owed > 0 && *change > 0);
        let begin = place.saturating_sub(MAX_BETWEEN);
        let before = sums.get(begin..place).unwrap_or_default();
        owed.is_some_and(|owed| before.contains(&owed)) && !is_tax(*given, *change)
    })
}

/// The last number of a line, in hundredths; `None` where it has no two decimals.
fn last_sum(line: &str) -> Option<u64> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'');
    let token = line.split(|c: char| !is_part(c)).rfind(|part| part.chars().any(|c| c.is_ascii_digit()))?;
    let token = token.trim_matches(['.', ',', '\'']);
    let (whole, decimals) = token.rsplit_once(['.', ','])?;
    if decimals.len() != 2 {
        return None;
    }
    let digits: String = whole.chars().chain(decimals.chars()).filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether the smaller sum may be the tax in the larger: a whole percentage from 5 to 27 of what is left. Net, gross and tax
/// below each other look like a payment.
fn is_tax(gross: u64, tax: u64) -> bool {
    let net = (gross - tax) as f64;
    let percent = (tax as f64 / net * 100.0).round();
    (5.0..=27.0).contains(&percent) && ((net * percent / 100.0).round() - tax as f64).abs() < 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_a_payment_and_its_change_are_found_in_any_language() {
        for text in [
            "TOTAL: 25.44\nROUNDING 0.01\nTO BE PAID: 25.45\nCASH : 30.00\nCHANGE : 4.55",
            "Summe EUR 1.009,90\nBar 1.020,00\nRückgeld 10,10\n",
            "小計 19.50\n現金 50.00\nお釣り 30.50",
        ] {
            assert!(shows_change(text), "{text}");
        }
        for text in [
            "",
            "Net 100.00\nTax 19.00\nTotal 119.00",
            "Net 100.00\nTotal 119.00\nTax 19.00",
            "Total 48.00\nCash 48.00\nChange 0.00",
            "Total 12\nCash 20\nChange 8",
            "Date 01.02.2024\nTotal 5.00\nItem 7.00",
        ] {
            assert!(!shows_change(text), "{text}");
        }
    }
}
