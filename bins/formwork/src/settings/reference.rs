//! The reference of all settings, from which `docs/configuration.md` is generated.

use std::fmt::Write as _;

use super::Settings;

/// The environment's names (after `FORMWORK_`) and what they set. `__` steps into a table.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("LISTEN", "Address and port to listen on."),
    (
        "PUBLIC_URL",
        "Address under which clients reach the server; `http://` and the listening address when empty.",
    ),
    ("DATA_DIR", "Folder of the database, the blobs and the first key."),
    ("DATABASE_URL", "`sqlite://…` or `postgres://…`; a file in the data folder when empty."),
    ("BLOBS", "Folder of the files' contents; `blobs` in the data folder when empty."),
    ("LOG__FORMAT", "`text` or `json`."),
    ("LOG__LEVEL", "What is logged: a level, or directives such as `info,formwork=debug`."),
    (
        "CORS__ORIGINS",
        "Origins whose pages may call the server, such as `https://app.example.com`, parted by commas; `*` \
         means all, none when empty.",
    ),
    ("FIRST__WORKSPACE", "Name of the first workspace."),
    ("FIRST__USER_NAME", "Name of the first user."),
    ("FIRST__USER_EMAIL", "E-mail address of the first user."),
    ("MODELS__DEFAULT", "The model of agents that name none, and of schemas made from descriptions."),
    ("WORKERS__HTTP_THREADS", "Threads that serve HTTP; 0 means one for each processor, four at most."),
    ("WORKERS__DATABASE_READERS", "Threads that read the database."),
    ("WORKERS__DATABASE_WRITERS", "Threads that write to PostgreSQL."),
    (
        "WORKERS__MODEL_THREADS",
        "Threads of the built-in model; 0 means one for each processor, four at most.",
    ),
    ("WORKERS__PARSERS", "Processes that parse documents; 0 means one for each processor, four at most."),
    ("WORKERS__PARSER_DOCUMENTS", "Documents after which a parser process is replaced."),
    ("WORKERS__PARSER_MEMORY_BYTES", "Bytes of memory that a parser process may use."),
    ("WORKERS__PARSER_CPU_SECONDS", "Seconds of processor time that one document may take."),
    ("WORKERS__PARSER_WALL_SECONDS", "Seconds that one document may take by the clock."),
    ("WORKERS__PARSER_IDLE_SECONDS", "Seconds after which an idle parser process is ended."),
    ("LIMITS__JSON_BODY_BYTES", "Bytes of a JSON body."),
    ("LIMITS__FILE_BYTES", "Bytes of one file."),
    ("LIMITS__FILES_PER_UPLOAD", "Files of one upload."),
    ("LIMITS__NOTE_BYTES", "Bytes of a note's content, and of its meta."),
    ("LIMITS__GROUPS_PER_RUN", "Groups of one batch run."),
    ("LIMITS__DOCUMENTS_PER_GROUP", "Documents of one group."),
    ("LIMITS__RUN_CONCURRENCY", "Groups of one run that are worked on at the same time."),
    ("LIMITS__TOTAL_CONCURRENCY", "Groups of all runs that are worked on at the same time."),
    (
        "LIMITS__REQUEST_SECONDS",
        "Seconds that a request may take to arrive, and that a shutdown waits for open requests.",
    ),
    (
        "LIMITS__REQUESTS_PER_MINUTE",
        "Requests that an API key without a limit of its own may make in a minute; 0 means any number.",
    ),
];

/// The reference as Markdown.
#[must_use]
pub fn reference_markdown() -> String {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let mut text = String::from(
        "# Configuration\n\n\
         Every setting has a default. `formwork.toml` in the working folder (or the file named by `--config`) \
         overrides it, the environment overrides the file, and flags override the environment. A key that is not \
         known is refused in the file. `formwork config` prints what is in force, without passwords.\n\n\
         This page is generated: `formwork config --reference`.\n\n\
         | in the file | in the environment | default | meaning |\n|---|---|---|---|\n",
    );
    for (name, meaning) in ENVIRONMENT {
        let key = name.to_lowercase().replace("__", ".");
        let pointer = format!("/{}", key.replace('.', "/"));
        let default = defaults.pointer(&pointer).map(ToString::to_string).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "| `{key}` | `FORMWORK_{name}` | `{default}` | {meaning} |");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn leaves(prefix: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(parts) => {
                for (key, part) in parts {
                    let name = if prefix.is_empty() { key.clone() } else { format!("{prefix}__{key}") };
                    leaves(&name, part, found);
                }
            }
            _ => found.push(prefix.to_uppercase()),
        }
    }

    #[test]
    fn every_setting_is_in_the_reference() {
        let mut settings = Vec::new();
        leaves("", &serde_json::to_value(Settings::default()).unwrap(), &mut settings);
        let documented: Vec<String> = ENVIRONMENT.iter().map(|(name, _)| (*name).to_owned()).collect();
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
