//! What dialects count, and the limits.

use serde_json::Value;

use super::Dialect;
use super::unsupported::{UnsupportedSchema, inexpressible};

// From the vendors' guides of structured outputs, as of November 2026.
/// OpenAI: properties of a schema.
const MAX_PROPERTIES: usize = 5_000;
/// OpenAI: nesting levels of objects and lists.
const MAX_DEPTH: usize = 10;
/// OpenAI: characters of all names and options.
const MAX_CHARS: usize = 120_000;
/// OpenAI: options of all enums.
const MAX_OPTIONS: usize = 1_000;
/// OpenAI: options of an enum above which [`MAX_LONG_ENUM_CHARS`] applies.
const LONG_ENUM: usize = 250;
/// OpenAI: characters of the options of a long enum.
const MAX_LONG_ENUM_CHARS: usize = 15_000;
/// Anthropic: optional properties.
pub(super) const MAX_OPTIONAL: usize = 24;
/// Anthropic: values of several types.
pub(super) const MAX_UNIONS: usize = 16;

/// The counts of a compiled schema.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) properties: usize,
    pub(super) depth: usize,
    pub(super) chars: usize,
    pub(super) options: usize,
    pub(super) optional: usize,
    pub(super) unions: usize,
}

impl Counts {
    pub(super) fn count_options(&mut self, options: &[Value], path: &str) -> Result<(), UnsupportedSchema> {
        let chars: usize =
            // Numbers and booleans as printed, about. Chosen by hand; no measurement is recorded.
            options.iter().map(|option| option.as_str().map_or(8, |o| o.chars().count())).sum();
        if options.len() > LONG_ENUM && chars > MAX_LONG_ENUM_CHARS {
            return Err(inexpressible("a list of options that is too long", path));
        }
        self.options += options.len();
        self.chars += chars;
        Ok(())
    }

    pub(super) fn check(&self, dialect: Dialect) -> Result<(), UnsupportedSchema> {
        let counted: &[(&'static str, usize, usize)] = match dialect {
            Dialect::OpenAi | Dialect::Mistral => {
                if self.depth > MAX_DEPTH {
                    return Err(inexpressible("more than 10 levels of nesting", ""));
                }
                &[
                    ("properties", self.properties, MAX_PROPERTIES),
                    ("characters of names and options", self.chars, MAX_CHARS),
                    ("options", self.options, MAX_OPTIONS),
                ]
            }
            Dialect::Anthropic => &[
                ("optional properties", self.optional, MAX_OPTIONAL),
                ("values of several types", self.unions, MAX_UNIONS),
            ],
            Dialect::Gemini | Dialect::Lenient | Dialect::Native => &[],
        };
        match counted.iter().find(|(_, found, limit)| found > limit) {
            Some((what, found, limit)) => {
                Err(UnsupportedSchema::TooWide { what, found: *found, limit: *limit })
            }
            None => Ok(()),
        }
    }
}
