//! Settings from the environment. A setting has its documented variable; the nested name, which is
//! `FORMWORK_` and its name in the file with `__` for each dot; and the same with `_` for each dot unless
//! that names another setting.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::catalogue::SETTINGS;
use super::error::{SettingsError, invalid};
use super::table::{find, merge};
use super::variables::{documented_variable, nested_variable};

/// Prefix of all variables of the service, except the vendors' usual ones.
const PREFIX: &str = "FORMWORK_";
/// Variables of the commands that use a server.
const OF_COMMANDS: [&str; 2] = ["FORMWORK_URL", "FORMWORK_KEY"];
/// Similarity (Jaro-Winkler, 0 to 1) from which a name counts as a typo of another. One letter omitted,
/// doubled or exchanged keeps the names of settings above it; names of different settings seldom reach it.
const ALIKE: f64 = 0.9;

/// The settings in the environment.
pub(super) struct Environment {
    pub(super) settings: Table,
    pub(super) warnings: Vec<Warning>,
}

/// A variable without effect.
pub(super) struct Warning {
    pub(super) name: String,
    /// One sentence for the operator.
    pub(super) sentence: String,
}

impl Environment {
    /// Reads the environment. Unknown names may belong to others (orchestrators inject `FORMWORK_PORT` for a
    /// service called formwork), so they are reported and not rejected.
    pub(super) fn read(defaults: &Table) -> Result<Self, SettingsError> {
        let names = Names::new();
        let mut found = Self { settings: Table::new(), warnings: Vec::new() };
        let mut given: BTreeMap<&str, (usize, String, String)> = BTreeMap::new();
        for name in present() {
            let Some((key, rank)) = names.setting(&name) else {
                if name.starts_with(PREFIX) && !OF_COMMANDS.contains(&name.as_str()) {
                    found.warnings.push(names.unknown(name));
                }
                continue;
            };
            let Some(text) = variable(&name)? else { continue };
            match given.get(key) {
                Some((better, other, _)) if *better <= rank => found.warnings.push(twice(name, other)),
                Some((_, other, _)) => {
                    found.warnings.push(twice(other.clone(), &name));
                    given.insert(key, (rank, name, text));
                }
                None => {
                    given.insert(key, (rank, name, text));
                }
            }
        }
        for (key, (_, _, text)) in given {
            found.set(defaults, key, text);
        }
        Ok(found)
    }

    fn set(&mut self, defaults: &Table, key: &str, text: String) {
        // A text where a number is needed stays text and is rejected as in the file.
        let value = match (find(defaults, key), text.trim().parse(), text.trim().parse()) {
            (Some(Value::Integer(_)), Ok(number), _) => Value::Integer(number),
            (Some(Value::Float(_)), _, Ok(number)) => Value::Float(number),
            _ => Value::String(text),
        };
        let nested = key
            .rsplit('.')
            .fold(value, |inner, part| Value::Table(Table::from_iter([(part.to_owned(), inner)])));
        if let Value::Table(nested) = nested {
            merge(&mut self.settings, nested);
        }
    }
}

fn twice(name: String, other: &str) -> Warning {
    let sentence = format!("the variable '{name}' has no effect: '{other}' sets the same");
    Warning { name, sentence }
}

/// Variable names with their settings and their rank; 0 is the documented name.
struct Names(BTreeMap<String, (&'static str, usize)>);

impl Names {
    fn new() -> Self {
        let mut names = BTreeMap::new();
        let mut short: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
        let settable = || SETTINGS.iter().filter_map(|(key, _)| Some((*key, documented_variable(key)?)));
        for (key, documented) in settable() {
            let nested = nested_variable(key);
            short.entry(nested.replace("__", "_")).or_default().push(key);
            names.entry(nested).or_insert((key, 1));
            names.insert(documented, (key, 0));
        }
        // The older tools of Amazon know the region by this name.
        names.insert("AWS_DEFAULT_REGION".to_owned(), ("s3.region", 3));
        for (name, keys) in short {
            if let [key] = keys.as_slice() {
                names.entry(name).or_insert((key, 2));
            }
        }
        Self(names)
    }

    fn setting(&self, name: &str) -> Option<(&'static str, usize)> {
        self.0.get(name).copied()
    }

    /// The warning on an unknown variable, with the most similar documented name.
    fn unknown(&self, name: String) -> Warning {
        let like = |known: &String| strsim::jaro_winkler(&name, known);
        let alike = self.0.iter().map(|(known, (key, _))| (like(known), *key));
        let nearest = alike.max_by(|(a, _), (b, _)| a.total_cmp(b)).filter(|(alike, _)| *alike >= ALIKE);
        let meant = nearest.and_then(|(_, key)| documented_variable(key));
        let meant = meant.map(|known| format!("; did you mean '{known}'?")).unwrap_or_default();
        let sentence = format!("the variable '{name}' sets nothing: there is no such setting{meant}");
        Warning { name, sentence }
    }
}

/// The names of all variables, sorted. A name that is not UTF-8 cannot be a setting.
fn present() -> Vec<String> {
    let mut names: Vec<String> =
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort_unstable();
    names
}

/// The value of a variable.
///
/// # Errors
/// When it is not UTF-8.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
pub(super) fn variable(name: &str) -> Result<Option<String>, SettingsError> {
    match std::env::var(name) {
        Ok(text) => Ok(Some(text)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => Err(invalid(format!("'{name}' must be UTF-8"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_taken_by_its_documented_its_nested_and_its_short_name() {
        let names = Names::new();
        for (name, key) in [
            ("FORMWORK_LISTEN", "listen"),
            ("FORMWORK_DATABASE_URL", "database_url"),
            ("FORMWORK_FETCH_ALLOW", "fetch.allow"),
            ("FORMWORK_FETCH__ALLOW", "fetch.allow"),
            ("FORMWORK_SEARXNG_URL", "search.searxng.base_url"),
            ("FORMWORK_SEARCH__SEARXNG__BASE_URL", "search.searxng.base_url"),
            ("FORMWORK_OPENAI_BASE_URL", "models.openai.base_url"),
            ("FORMWORK_MODELS__OPENAI__BASE_URL", "models.openai.base_url"),
            ("FORMWORK_MODELS_OPENAI_BASE_URL", "models.openai.base_url"),
            ("GEMINI_API_KEY", "models.google.key"),
            ("AWS_SECRET_ACCESS_KEY", "s3.secret_access_key"),
            ("AWS_DEFAULT_REGION", "s3.region"),
            ("FORMWORK_S3__ENDPOINT", "s3.endpoint"),
            ("FORMWORK_MODELS__GOOGLE__KEY", "models.google.key"),
            ("FORMWORK_LIMITS_JSON_BODY_BYTES", "limits.json_body_bytes"),
            ("FORMWORK_FIRST_USER_NAME", "first.user_name"),
        ] {
            assert_eq!(names.setting(name).map(|(key, _)| key), Some(key), "{name}");
        }
        for (key, _) in SETTINGS.iter().filter(|(key, _)| documented_variable(key).is_some()) {
            assert_eq!(names.setting(&nested_variable(key)).map(|(key, _)| key), Some(*key), "{key}");
        }
    }

    #[test]
    fn a_slip_is_told_with_the_name_that_was_meant_and_a_strange_name_without_one() {
        let names = Names::new();
        for (name, meant) in [
            ("FORMWORK_LISTN", "'FORMWORK_LISTEN'"),
            ("FORMWORK_PUBLIC_ULR", "'FORMWORK_PUBLIC_URL'"),
            ("FORMWORK_LIMITS__FILE_BYTE", "'FORMWORK_LIMITS__FILE_BYTES'"),
            ("FORMWORK_SEARXNG_URI", "'FORMWORK_SEARXNG_URL'"),
        ] {
            let sentence = names.unknown(name.to_owned()).sentence;
            assert!(sentence.contains(&format!("'{name}'")) && sentence.contains(meant), "{sentence}");
        }
    }
}
