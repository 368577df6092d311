//! Characters of symbol fonts, whose codes are meaningful only in their font.

/// Greek letters and signs of the font Symbol, by code. Source: Adobe's Symbol encoding.
const SYMBOL: &[(u32, char)] = &[
    (0x61, 'α'),
    (0x62, 'β'),
    (0x63, 'χ'),
    (0x64, 'δ'),
    (0x65, 'ε'),
    (0x66, 'φ'),
    (0x67, 'γ'),
    (0x68, 'η'),
    (0x69, 'ι'),
    (0x6b, 'κ'),
    (0x6c, 'λ'),
    (0x6d, 'μ'),
    (0x6e, 'ν'),
    (0x6f, 'ο'),
    (0x70, 'π'),
    (0x71, 'θ'),
    (0x72, 'ρ'),
    (0x73, 'σ'),
    (0x74, 'τ'),
    (0x75, 'υ'),
    (0x77, 'ω'),
    (0x78, 'ξ'),
    (0x79, 'ψ'),
    (0x7a, 'ζ'),
    (0x44, 'Δ'),
    (0x46, 'Φ'),
    (0x47, 'Γ'),
    (0x4c, 'Λ'),
    (0x50, 'Π'),
    (0x51, 'Θ'),
    (0x53, 'Σ'),
    (0x57, 'Ω'),
    (0x58, 'Ξ'),
    (0x59, 'Ψ'),
    (0xa3, '≤'),
    (0xa5, '∞'),
    (0xab, '↔'),
    (0xac, '←'),
    (0xad, '↑'),
    (0xae, '→'),
    (0xaf, '↓'),
    (0xb0, '°'),
    (0xb1, '±'),
    (0xb3, '≥'),
    (0xb4, '×'),
    (0xb7, '•'),
    (0xb8, '÷'),
    (0xb9, '≠'),
    (0xbb, '≈'),
    (0xd2, '®'),
    (0xd3, '©'),
    (0xd4, '™'),
    (0xd6, '√'),
    (0xe5, '∑'),
];

/// Meaningful symbols of the fonts Wingdings and Wingdings 2.
const WINGDINGS: &[(u32, char)] = &[
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x4a, '☺'),
    (0x4c, '☹'),
    (0x6c, '●'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x71, '❑'),
    (0x72, '❒'),
    (0x76, '❖'),
    (0x77, '◆'),
    (0xa7, '▪'),
    (0xa8, '◻'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xe8, '➔'),
    (0xf0, '⇨'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

/// The Unicode character of a symbol; `None` when it is unknown.
pub(super) fn character(font: Option<&str>, code: Option<&str>) -> Option<char> {
    let code = u32::from_str_radix(code?, 16).ok()?;
    let font = font.unwrap_or_default().to_ascii_lowercase();
    // Codes of symbol fonts are shifted into the private use area.
    let plain = if (0xf000..=0xf0ff).contains(&code) { code - 0xf000 } else { code };
    let table = if font.starts_with("symbol") {
        SYMBOL
    } else if font.starts_with("wingdings") {
        WINGDINGS
    } else {
        &[]
    };
    let known = table.iter().find(|(known, _)| *known == plain).map(|(_, character)| *character);
    known.or_else(|| match plain {
        0x20..=0x7e if table.len() == SYMBOL.len() => char::from_u32(plain),
        _ if !table.is_empty() || plain != code => None,
        _ => char::from_u32(code),
    })
}

#[cfg(test)]
mod tests {
    use super::character;

    #[test]
    fn symbols_are_told_by_font_and_code() {
        assert_eq!(character(Some("Symbol"), Some("F061")), Some('α'));
        assert_eq!(character(Some("Wingdings"), Some("F0FE")), Some('☑'));
        assert_eq!(character(Some("Arial"), Some("2192")), Some('→'));
        assert_eq!(character(Some("Webdings"), Some("F04E")), None);
        assert_eq!(character(None, Some("rubbish")), None);
    }
}
