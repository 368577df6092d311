//! The query to a provider.

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pages of the web.
    Web,
    /// News articles.
    News,
}

/// A query to a provider.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The search term: one line, without control characters.
    pub term: String,
    /// Maximum hits, at least 1.
    pub limit: usize,
    /// Language of the hits; the provider's default when `None`.
    pub language: Option<LanguageTag>,
    /// Maximum age of the hits.
    pub freshness: Option<Freshness>,
    /// What is filtered out.
    pub safe_search: SafeSearch,
    /// Whether the texts of the pages are requested, from a provider that has them.
    pub with_text: bool,
}

/// A language with optional script and region.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LanguageTag {
    /// ISO 639, two or three lower-case letters.
    pub code: String,
    /// ISO 15924, such as `Hant`.
    pub script: Option<String>,
    /// ISO 3166-1, two upper-case letters.
    pub region: Option<String>,
}

impl LanguageTag {
    /// Parses a language tag (RFC 5646; also with underscores), such as `de`, `en-GB` or `zh-Hant-TW`.
    /// Variants and extensions are ignored.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let mut parts = tag.split(['-', '_']);
        let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
        // Lengths of RFC 5646, section 2.1; at most eight further parts bound the time.
        let code = parts.next().filter(|code| (2..=3).contains(&code.len()) && letters(code))?;
        let mut language = Self { code: code.to_ascii_lowercase(), script: None, region: None };
        for (place, part) in parts.enumerate() {
            let usable =
                (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !usable || place > 7 {
                return None;
            }
            match part.len() {
                2 if letters(part) && language.region.is_none() => {
                    language.region = Some(part.to_ascii_uppercase());
                }
                4 if letters(part) && language.script.is_none() => {
                    let (first, rest) = part.split_at(1);
                    language.script = Some(first.to_ascii_uppercase() + &rest.to_ascii_lowercase());
                }
                _ => {}
            }
        }
        Some(language)
    }

    /// The tag with its region, as most APIs accept it: `de`, `en-GB`.
    #[must_use]
    pub fn tag(&self) -> String {
        match &self.region {
            Some(region) => format!("{}-{region}", self.code),
            None => self.code.clone(),
        }
    }
}

/// Maximum age of the hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// At most one day old.
    Day,
    /// Seven days.
    Week,
    /// 31 days.
    Month,
    /// 366 days.
    Year,
}

impl Freshness {
    /// All values.
    pub const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Year];

    /// Its name: `day`, `week`, `month` or `year`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }

    /// Its length in days.
    #[must_use]
    pub fn days(self) -> u32 {
        match self {
            Self::Day => 1,
            // The longest month and year.
            Self::Week => 7,
            Self::Month => 31,
            Self::Year => 366,
        }
    }
}

/// The safe-search level: what is filtered out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SafeSearch {
    /// Nothing.
    Off,
    /// Explicit pictures and the like.
    #[default]
    Moderate,
    /// All explicit content.
    Strict,
}

impl SafeSearch {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Off, Self::Moderate, Self::Strict];

    /// Its name: `off`, `moderate` or `strict`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Moderate => "moderate",
            Self::Strict => "strict",
        }
    }
}
