//! Parses and applies a site's robots.txt (RFC 9309).

/// Maximum bytes of a robots.txt that are read (RFC 9309, section 2.5).
pub const MAX_ROBOTS: u64 = 500 << 10;
/// Maximum rules that are kept. Bounds memory and time.
const MAX_RULES: usize = 2_000;
/// Maximum bytes of a rule's pattern; a longer one is ignored. Bounds memory and time.
const MAX_PATTERN: usize = 2_000;

/// The rules for one user agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    allow: bool,
    pattern: String,
}

impl Robots {
    /// The rules for the product token (`Formwork`) `agent`: those of all groups that name it, else those of
    /// the group `*`.
    #[must_use]
    pub fn parse(text: &str, agent: &str) -> Self {
        let (mut own, mut others) = (Self::default(), Self::default());
        let (mut named, mut is_own, mut is_all, mut in_names) = (false, false, false, false);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                // A user-agent line after rules starts a new group.
                if !in_names {
                    (is_own, is_all) = (false, false);
                }
                in_names = true;
                let product = value.split(['/', ' ']).next().unwrap_or_default();
                is_own |= product.eq_ignore_ascii_case(agent);
                is_all |= value == "*";
                named |= is_own;
                continue;
            }
            let allow = match key.as_str() {
                "allow" => true,
                "disallow" => false,
                _ => continue,
            };
            in_names = false;
            for (wanted, robots) in [(is_own, &mut own), (is_all, &mut others)] {
                if wanted {
                    robots.add(allow, value);
                }
            }
        }
        if named { own } else { others }
    }

    fn add(&mut self, allow: bool, pattern: &str) {
        // A rule without a path has no effect.
        if !pattern.is_empty() && pattern.len() <= MAX_PATTERN && self.rules.len() < MAX_RULES {
            self.rules.push(Rule { allow, pattern: normal(pattern) });
        }
    }

    /// Whether the path with its query may be fetched. The longest matching rule decides; of equal ones, the
    /// one that allows.
    #[must_use]
    pub fn allows(&self, path: &str) -> bool {
        let path = normal(path);
        let matching = self.rules.iter().filter(|rule| matches(&rule.pattern, &path));
        matching.max_by_key(|rule| (rule.pattern.len(), rule.allow)).is_none_or(|rule| rule.allow)
    }
}

/// Normalises percent-encoding, so that equal paths are equal texts.
fn normal(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path.as_bytes();
    loop {
        rest = match rest {
            [] => return out,
            [b'%', high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                push(&mut out, hex(*high) << 4 | hex(*low));
                after
            }
            [byte, after @ ..] => {
                push_given(&mut out, *byte);
                after
            }
        };
    }
}

fn hex(digit: u8) -> u8 {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or(0)
}

/// Adds a decoded byte: unreserved ones as they are, others percent-encoded.
fn push(out: &mut String, byte: u8) {
    if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
        out.push(char::from(byte));
    } else {
        escape(out, byte);
    }
}

/// Adds a byte that was not percent-encoded.
fn push_given(out: &mut String, byte: u8) {
    if byte.is_ascii() { out.push(char::from(byte)) } else { escape(out, byte) }
}

fn escape(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    for half in [byte >> 4, byte & 15] {
        out.push(DIGITS.get(usize::from(half)).copied().map_or('0', char::from));
    }
}

/// Whether the pattern matches a prefix of the path. `*` matches any text; a final `$` anchors the end. Time
/// is at most the product of both lengths.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = pattern.strip_suffix('$').map_or((pattern, false), |rest| (rest, true));
    let mut parts = pattern.split('*').peekable();
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let starred = parts.peek().is_some();
    while let Some(part) = parts.next() {
        if to_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    starred || !to_end || rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(text: &str, path: &str) -> bool {
        Robots::parse(text, "Formwork").allows(path)
    }

    #[test]
    fn the_group_that_names_the_program_goes_before_that_of_all() {
        let text = "User-agent: other\nDisallow: /\n\nUser-Agent: FORMWORK/1.0\nuser-agent: third\nDisallow: /own # x\n\
                    \nUser-agent: *\nDisallow: /all\nSitemap: https://example.com/s.xml\nUser-agent: formwork\nDisallow: /more\n";
        assert!(
            !allows(text, "/own/a") && !allows(text, "/more") && allows(text, "/all") && allows(text, "/")
        );
        assert!(!Robots::parse(text, "Fourth").allows("/all/x"));
        assert!(allows("", "/") && allows("<html>not: robots</html>", "/") && allows("Disallow: /", "/"));
        assert!(!allows("\u{feff}user-agent:*\r\ndisallow:/", "/"));
    }

    #[test]
    fn the_longest_rule_decides_and_of_equals_the_one_that_allows() {
        let text = "user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /a/b/c\nallow: /x\ndisallow: /x\ndisallow:\n";
        for (path, allowed) in [("/", true), ("/a", false), ("/a/b", true), ("/a/b/cd", false), ("/x", true)]
        {
            assert_eq!(allows(text, path), allowed, "{path}");
        }
    }

    #[test]
    fn stars_and_ends_are_understood() {
        for (pattern, path, hit) in [
            ("/*.pdf$", "/a/b.pdf", true),
            ("/*.pdf$", "/a/b.pdf?x", false),
            ("/*.pdf$", "/a.pdf.pdf", true),
            ("/a*b*c", "/axxbyyczz", true),
            ("/a*b*c", "/acb", false),
            ("/*aa$", "/aaa", true),
            ("/a*a$", "/a", false),
            ("/a*$", "/ab", true),
            ("/$", "/", true),
            ("/$", "/a", false),
            ("*", "/a", true),
            ("/caf%c3%A9", "/café/x", true),
            ("/%7Eada", "/~ada", true),
            ("/a%2Fb", "/a/b", false),
        ] {
            assert_eq!(
                !allows(&format!("user-agent: *\ndisallow: {pattern}"), path),
                hit,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn hostile_files_are_read_in_bounds() {
        let stars = format!("user-agent: *\ndisallow: /{}x$", "*a".repeat(900));
        assert!(allows(&stars, &format!("/{}", "a".repeat(5_000))));
        let many = format!("user-agent: *\n{}disallow: /late", "disallow: /a\n".repeat(50_000));
        assert!(allows(&many, "/late") && !allows(&many, "/a"));
        for odd in ["%", "%4", "%zz", "user-agent", ":", "\0", "%%%"] {
            allows(&format!("user-agent: *\ndisallow: /{odd}"), &format!("/{odd}"));
        }
    }
}
