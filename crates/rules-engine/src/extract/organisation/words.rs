//! Words of internet addresses.

/// Parts of internet domains that are not names.
pub(super) const NET_WORDS: &[&str] = &[
    "www", "com", "co", "net", "org", "info", "mail", "gmail", "yahoo", "hotmail", "outlook", "http", "https",
];
