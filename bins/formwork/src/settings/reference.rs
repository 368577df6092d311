//! The reference of all settings, from which `docs/configuration.md` is generated.

use std::fmt::Write as _;

use super::Settings;
use super::catalogue::SETTINGS;
use super::variables::documented_variable;

/// The reference as Markdown.
#[must_use]
pub fn reference_markdown() -> String {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let mut text = String::from(
        "# Configuration\n\n\
         Every setting has a default. `formwork.toml` in the working folder (or the file named by `--config`) \
         overrides it, the environment overrides the file, and flags override the environment. An unknown key in \
         the file is an error. `formwork config` prints the effective settings, with passwords redacted.\n\n\
         A setting has up to three environment variables: the name in the table; `FORMWORK_` and its \
         name in the file, in capitals with `__` for each dot (`FORMWORK_LIMITS__FILE_BYTES`); and the same with `_` for each \
         dot (`FORMWORK_LIMITS_FILE_BYTES`), unless that names another setting. If several are set, the \
         first of these counts. A variable that begins with `FORMWORK_` and sets nothing gets a warning at the \
         start, with the most similar name.\n\n\
         This page is generated: `formwork config --reference`.\n\n\
         | in the file | in the environment | default | meaning |\n|---|---|---|---|\n",
    );
    for (key, meaning) in SETTINGS {
        let pointer = format!("/{}", key.replace('.', "/"));
        let default = defaults.pointer(&pointer).map(ToString::to_string).unwrap_or_default();
        let variable = documented_variable(key).map(|name| format!("`{name}`")).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{key}` | {variable} | `{default}` | {meaning} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::variables::IN_THE_FILE;
    use serde_json::Value;

    fn leaves(prefix: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(parts) if !IN_THE_FILE.iter().any(|name| prefix.ends_with(name)) => {
                for (key, part) in parts {
                    let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                    leaves(&name, part, found);
                }
            }
            _ => found.push(prefix.to_owned()),
        }
    }

    #[test]
    fn every_setting_is_in_the_reference() {
        let mut settings = Vec::new();
        leaves("", &serde_json::to_value(Settings::default()).unwrap(), &mut settings);
        let documented: Vec<String> = SETTINGS.iter().map(|(key, _)| (*key).to_owned()).collect();
        assert_eq!(documented, settings);
    }

    #[test]
    fn the_documented_reference_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
        let documented = std::fs::read_to_string(path).unwrap();
        assert_eq!(
            documented,
            reference_markdown(),
            "run: formwork config --reference > docs/configuration.md"
        );
    }
}
