//! Currencies: ISO 4217 codes, and the signs and words printed instead.

/// Each code with its alternatives.
const SIGNS: [(&str, &[&str]); 26] = [
    ("EUR", &["€", "Euro", "Euros"]),
    ("USD", &["$", "US$", "Dollar", "Dollars"]),
    ("GBP", &["£", "Pound", "Pounds"]),
    ("JPY", &["¥", "円", "Yen"]),
    ("CNY", &["¥", "元", "RMB", "Yuan"]),
    ("INR", &["₹", "Rs", "Rupees"]),
    ("CHF", &["Fr", "SFr", "Franken"]),
    ("PLN", &["zł", "zl"]),
    ("CZK", &["Kč"]),
    ("HUF", &["Ft"]),
    ("SEK", &["kr"]),
    ("NOK", &["kr"]),
    ("DKK", &["kr"]),
    ("ISK", &["kr"]),
    ("RUB", &["₽", "руб"]),
    ("UAH", &["₴", "грн"]),
    ("TRY", &["₺", "TL"]),
    ("ILS", &["₪"]),
    ("KRW", &["₩", "원"]),
    ("VND", &["₫"]),
    ("THB", &["฿", "บาท"]),
    ("MYR", &["RM"]),
    ("BRL", &["R$"]),
    ("CAD", &["C$", "CA$", "$"]),
    ("AUD", &["A$", "AU$", "$"]),
    ("SGD", &["S$", "$"]),
];

/// The alternative forms of the currency `text`.
pub(crate) fn alternative_signs(text: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    let text = text.trim();
    let short = text.len() <= 12;
    SIGNS
        .iter()
        .filter(move |(code, signs)| short && (*code == text || signs.contains(&text)))
        .flat_map(|(code, signs)| std::iter::once(*code).chain(signs.iter().copied()))
        .filter(move |sign| *sign != text)
}

#[cfg(test)]
mod tests {
    use super::alternative_signs;

    #[test]
    fn codes_and_signs_stand_for_each_other() {
        assert!(alternative_signs("EUR").any(|sign| sign == "€"));
        assert!(alternative_signs("€").any(|code| code == "EUR"));
        assert_eq!(alternative_signs("Europe").count(), 0);
    }
}
