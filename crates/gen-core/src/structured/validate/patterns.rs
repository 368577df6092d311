//! The patterns of a schema.

use std::collections::HashMap;

use regex::Regex;

/// Compiled patterns by their source.
pub(in crate::structured) type Patterns = HashMap<String, Regex>;

/// Maximum size of a compiled pattern in bytes. Bounds the memory of hostile patterns.
const PATTERN_BYTES: usize = 1 << 18;

/// Compiles a pattern with a size limit, to an automaton without backtracking.
pub(in crate::structured) fn pattern(text: &str) -> Result<Regex, regex::Error> {
    regex::RegexBuilder::new(text).size_limit(PATTERN_BYTES).dfa_size_limit(4 * PATTERN_BYTES).build()
}
