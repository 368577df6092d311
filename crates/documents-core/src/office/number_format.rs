//! Formats list numbers.

/// A number in a format of ECMA-376, 17.18.59; unknown formats are decimal.
pub(super) fn formatted(number: u32, format: &str) -> String {
    match format {
        "none" | "bullet" => String::new(),
        "lowerLetter" => letters(number, 'a'),
        "upperLetter" => letters(number, 'A'),
        "lowerRoman" => roman(number).to_lowercase(),
        "upperRoman" => roman(number),
        "decimalZero" => format!("{number:02}"),
        "ordinal" => ordinal(number),
        _ => number.to_string(),
    }
}

/// `a` to `z`, then `aa` to `zz`: the letter is repeated.
fn letters(number: u32, first: char) -> String {
    let Some(index) = number.checked_sub(1) else { return "0".to_owned() };
    let letter =
        u8::try_from(index % 26).ok().and_then(|step| char::from_u32(first as u32 + u32::from(step)));
    let count = (index / 26 + 1).min(8) as usize;
    letter.map(|letter| letter.to_string().repeat(count)).unwrap_or_default()
}

fn roman(number: u32) -> String {
    const STEPS: &[(u32, &str)] = &[
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if number == 0 || number > 5_000 {
        return number.to_string();
    }
    let (mut left, mut text) = (number, String::new());
    for (value, sign) in STEPS {
        while left >= *value {
            text.push_str(sign);
            left -= value;
        }
    }
    text
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::formatted;

    #[test]
    fn numbers_are_printed_as_their_format_says() {
        for (number, format, expected) in [
            (4, "decimal", "4"),
            (28, "lowerLetter", "bb"),
            (3, "upperLetter", "C"),
            (1994, "upperRoman", "MCMXCIV"),
            (7, "decimalZero", "07"),
            (22, "ordinal", "22nd"),
            (5, "bullet", ""),
        ] {
            assert_eq!(formatted(number, format), expected);
        }
    }
}
