//! What a provider is asked for.

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pages of the web.
    Web,
    /// News.
    News,
}

/// A question to a provider.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// What is searched for: one line, without control characters.
    pub term: String,
    /// Hits that are wanted at the most, from 1.
    pub limit: usize,
    /// The language that hits should be in; the provider's own choice when absent.
    pub language: Option<Language>,
    /// How old hits may be.
    pub freshness: Option<Freshness>,
    /// What is left out.
    pub safe_search: SafeSearch,
    /// Whether the texts of the pages are wanted, where the provider has them.
    pub with_text: bool,
}

/// A language, and where it is spoken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Language {
    /// ISO 639, in small letters: two or three of them.
    pub code: String,
    /// ISO 15924, such as `Hant`.
    pub script: Option<String>,
    /// ISO 3166-1, in capital letters: two of them.
    pub region: Option<String>,
}

impl Language {
    /// What a tag names (RFC 5646; also with underscores), such as `de`, `en-GB` or `zh-Hant-TW`. Variants and
    /// extensions are read over.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let mut parts = tag.split(['-', '_']);
        let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
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

    /// The tag with its region, as most interfaces take it: `de`, `en-GB`.
    #[must_use]
    pub fn tag(&self) -> String {
        match &self.region {
            Some(region) => format!("{}-{region}", self.code),
            None => self.code.clone(),
        }
    }
}

/// How old hits may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// A day.
    Day,
    /// Seven days.
    Week,
    /// 31 days.
    Month,
    /// 366 days.
    Year,
}

impl Freshness {
    /// All of them.
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

    /// Days.
    #[must_use]
    pub fn days(self) -> u32 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 31,
            Self::Year => 366,
        }
    }
}

/// What is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SafeSearch {
    /// Nothing.
    Off,
    /// Pictures and the like that are not for everybody.
    #[default]
    Moderate,
    /// All that is not for everybody.
    Strict,
}

impl SafeSearch {
    /// All of them.
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
