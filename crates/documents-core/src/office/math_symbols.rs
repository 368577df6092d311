//! LaTeX commands of the characters in formulas. Ordinary letters stay unchanged, Greek ones too.

/// Symbols with a LaTeX command, as in the symbol tables of LaTeX and amsmath.
const COMMANDS: &[(char, &str)] = &[
    ('\u{b1}', "pm"),
    ('\u{d7}', "times"),
    ('\u{f7}', "div"),
    ('\u{2026}', "ldots"),
    ('\u{2190}', "leftarrow"),
    ('\u{2191}', "uparrow"),
    ('\u{2192}', "rightarrow"),
    ('\u{2193}', "downarrow"),
    ('\u{2194}', "leftrightarrow"),
    ('\u{21d0}', "Leftarrow"),
    ('\u{21d2}', "Rightarrow"),
    ('\u{21d4}', "Leftrightarrow"),
    ('\u{2200}', "forall"),
    ('\u{2202}', "partial"),
    ('\u{2203}', "exists"),
    ('\u{2205}', "emptyset"),
    ('\u{2207}', "nabla"),
    ('\u{2208}', "in"),
    ('\u{2209}', "notin"),
    ('\u{220b}', "ni"),
    ('\u{2213}', "mp"),
    ('\u{221d}', "propto"),
    ('\u{221e}', "infty"),
    ('\u{2220}', "angle"),
    ('\u{2227}', "wedge"),
    ('\u{2228}', "vee"),
    ('\u{2229}', "cap"),
    ('\u{222a}', "cup"),
    ('\u{2234}', "therefore"),
    ('\u{223c}', "sim"),
    ('\u{2245}', "cong"),
    ('\u{2248}', "approx"),
    ('\u{2260}', "ne"),
    ('\u{2261}', "equiv"),
    ('\u{2264}', "leq"),
    ('\u{2265}', "geq"),
    ('\u{226a}', "ll"),
    ('\u{226b}', "gg"),
    ('\u{2282}', "subset"),
    ('\u{2283}', "supset"),
    ('\u{2286}', "subseteq"),
    ('\u{2287}', "supseteq"),
    ('\u{2295}', "oplus"),
    ('\u{2297}', "otimes"),
    ('\u{22a5}', "perp"),
    ('\u{22c5}', "cdot"),
    ('\u{22ee}', "vdots"),
    ('\u{22ef}', "cdots"),
    ('\u{22f1}', "ddots"),
];

/// Large operators.
const OPERATORS: &[(char, &str)] = &[
    ('\u{220f}', "prod"),
    ('\u{2210}', "coprod"),
    ('\u{2211}', "sum"),
    ('\u{222b}', "int"),
    ('\u{222c}', "iint"),
    ('\u{222d}', "iiint"),
    ('\u{222e}', "oint"),
    ('\u{22c0}', "bigwedge"),
    ('\u{22c1}', "bigvee"),
    ('\u{22c2}', "bigcap"),
    ('\u{22c3}', "bigcup"),
    ('\u{2a00}', "bigodot"),
    ('\u{2a01}', "bigoplus"),
    ('\u{2a02}', "bigotimes"),
];

/// Lower-case Greek letters in the order of the mathematical alphabets (Unicode, U+1D6FC to U+1D71B).
const SMALL_GREEK: [&str; 32] = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "xi",
    "omicron",
    "pi",
    "rho",
    "varsigma",
    "sigma",
    "tau",
    "upsilon",
    "phi",
    "chi",
    "psi",
    "omega",
    "partial",
    "varepsilon",
    "vartheta",
    "varkappa",
    "varphi",
    "varrho",
    "varpi",
];
/// Upper-case Greek letters in the same order; those that look like Latin ones have no command.
const LARGE_GREEK: [&str; 26] = [
    "A",
    "B",
    "\\Gamma ",
    "\\Delta ",
    "E",
    "Z",
    "H",
    "\\Theta ",
    "I",
    "K",
    "\\Lambda ",
    "M",
    "N",
    "\\Xi ",
    "O",
    "\\Pi ",
    "P",
    "\\Theta ",
    "\\Sigma ",
    "T",
    "\\Upsilon ",
    "\\Phi ",
    "X",
    "\\Psi ",
    "\\Omega ",
    "\\nabla ",
];

/// Text of a formula: symbols and styled letters as commands, LaTeX special characters escaped.
pub(super) fn latex(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => written.extend(['\\', c]),
            c if c.is_ascii() => written.push(c),
            c => match (command(COMMANDS, c).or_else(|| command(OPERATORS, c)), styled(c)) {
                (Some(command), _) => written.push_str(&format!("\\{command} ")),
                (None, Some(letter)) => written.push_str(&letter),
                (None, None) => written.push(c),
            },
        }
    }
    written
}

/// The command of a large operator.
pub(super) fn operator(sign: &str) -> String {
    let mut letters = sign.chars();
    let known = letters.next().filter(|_| letters.next().is_none()).and_then(|sign| command(OPERATORS, sign));
    known.map_or_else(|| latex(sign), |command| format!("\\{command}"))
}

fn command(table: &[(char, &'static str)], sign: char) -> Option<&'static str> {
    table
        .binary_search_by_key(&sign, |(sign, _)| *sign)
        .ok()
        .and_then(|place| table.get(place))
        .map(|(_, name)| *name)
}

/// A letter or digit of the mathematical alphabets without its style.
fn styled(c: char) -> Option<String> {
    let code = u32::from(c);
    let nth = |first: char, step: u32| char::from_u32(u32::from(first) + step).map(String::from);
    match code {
        0x210e => Some("h".to_owned()),
        0x1d400..=0x1d6a3 => {
            let step = (code - 0x1d400) % 52;
            if step < 26 { nth('A', step) } else { nth('a', step - 26) }
        }
        0x1d6a8..=0x1d7c9 => {
            let step = (code - 0x1d6a8) % 58;
            let large = LARGE_GREEK.get(step as usize).map(|letter| (*letter).to_owned());
            large.or_else(|| {
                SMALL_GREEK.get((step as usize).checked_sub(26)?).map(|name| format!("\\{name} "))
            })
        }
        0x1d7ce..=0x1d7ff => nth('0', (code - 0x1d7ce) % 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_so_that_every_sign_is_found() {
        assert!(COMMANDS.is_sorted() && OPERATORS.is_sorted());
    }

    #[test]
    fn styled_letters_are_letters_and_signs_are_commands() {
        assert_eq!(latex("\u{1d44e}\u{1d7cf}\u{1d6fc}\u{1d6e4}\u{1d431}\u{210e}"), "a1\\alpha \\Gamma xh");
        assert_eq!(latex("\u{3c0}\u{b1}\u{221e} 5%"), "\u{3c0}\\pm \\infty  5\\%");
        assert_eq!(operator("\u{222e}"), "\\oint");
    }
}
