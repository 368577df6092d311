//! Regular expressions that are compiled on first use.

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        #[allow(clippy::unwrap_used, reason = "a constant pattern, compiled in every test")]
        static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| regex::Regex::new($text).unwrap());
    };
}
pub(crate) use pattern;
