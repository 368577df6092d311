//! The reference of all settings, from which `docs/configuration.md` is generated.

use std::fmt::Write as _;

use super::Settings;

/// Every setting with its dotted key and its meaning.
pub(super) const SETTINGS: &[(&str, &str)] = &[
    ("listen", "Address and port to listen on."),
    (
        "public_url",
        "Address under which clients reach the server; `http://` and the listening address when empty.",
    ),
    ("data_dir", "Folder of the database, the blobs, the search index and the first key."),
    ("database_url", "`sqlite://…` or `postgres://…`; a file in the data folder when empty."),
    ("blobs", "Folder of the files' contents; `blobs` in the data folder when empty."),
    ("log.format", "`text` or `json`."),
    ("log.level", "What is logged: a level, or directives such as `info,formwork=debug`."),
    (
        "cors.origins",
        "Origins whose pages may call the server, such as `https://app.example.com`, parted by commas; `*` \
         means all, none when empty.",
    ),
    ("first.workspace", "Name of the first workspace."),
    ("first.user_name", "Name of the first user."),
    ("first.user_email", "E-mail address of the first user."),
    ("models.default", "The model of agents that name none, and of schemas made from descriptions."),
    ("models.connect_seconds", "Seconds that a connection to a provider may take."),
    ("models.call_seconds", "Seconds that one call of a provider may take."),
    ("models.idle_seconds", "Seconds that a provider may be silent in the middle of an answer."),
    ("models.retries", "How often a call of a provider that may pass is made again."),
    ("models.concurrency", "Calls of one provider that are made at the same time."),
    (
        "models.local_embeddings",
        "Folder of an embedding model that runs in the server, as `cargo xtask model` makes one; it is called \
         `<the folder's name>@formwork`. None when empty. Only in a server that is built with `--features \
         local-embeddings`.",
    ),
    ("models.openai.base_url", "Where OpenAI's interface is."),
    ("models.openai.key", "OpenAI's API key; OpenAI is not configured without one."),
    ("models.openai.headers", "A table of headers sent with every call."),
    ("models.anthropic.base_url", "Where Anthropic's interface is."),
    ("models.anthropic.key", "Anthropic's API key; Anthropic is not configured without one."),
    ("models.anthropic.headers", "A table of headers sent with every call."),
    ("models.google.base_url", "Where Google's interface is."),
    ("models.google.key", "Google's API key; Google is not configured without one."),
    ("models.google.headers", "A table of headers sent with every call."),
    ("models.mistral.base_url", "Where Mistral's interface is."),
    ("models.mistral.key", "Mistral's API key; Mistral is not configured without one."),
    ("models.mistral.headers", "A table of headers sent with every call."),
    (
        "models.own",
        "Servers that speak OpenAI's interface: tables `[[models.own]]` with `name`, `base_url`, and where \
         needed `key_env`, the variable that holds the key, `headers`, `voice` and `size` (such as `1024x1024`). Their \
         models are called `<name>/<model>@formwork`. What a model does is what the server says, else what its name \
         tells of the usual open models. Tables `[[models.own.models]]` with `name` say better: `kind` \
         (`text-to-text`, `text-to-image`, `text-to-speech`, `text-to-embedding`), `voice`, `size`, `input`, \
         `cached_input`, `output` in US dollars for a million tokens, `picture` for a picture, `context_tokens`, \
         `output_tokens`.",
    ),
    (
        "models.prices",
        "Tables `[models.prices.\"model@provider\"]` with `input`, `cached_input`, `output` in US dollars for \
         a million tokens, `picture` in US dollars for one, `context_tokens`, `output_tokens`: they go before what is known of the model.",
    ),
    (
        "extraction.unsupported",
        "What becomes of values that the documents do not show: `keep` them, with their low confidence; `ask` \
         the model once more, and let them be null if they are still not found; or `null` at once. Yes and no, \
         options of an `enum`, values that a second reader reads too, and those that are likely right all the \
         same are always kept.",
    ),
    (
        "extraction.second_reader",
        "Who reads the fields that a model filled a second time, for their confidence: `builtin`, free of \
         charge; `off`; or another model, `model@provider`, beside the built-in one, on the account of the \
         caller.",
    ),
    (
        "extraction.second_reader_when",
        "When a second reader that costs something is asked: in `doubt`, where a value would not be accepted \
         without it, or `always`.",
    ),
    (
        "extraction.acceptable_error",
        "The share of the values with `accepted: true` in the evidence that may be wrong: 0 to 1.",
    ),
    (
        "chat.turn_seconds",
        "Seconds that text models may take for a turn of the guided conversation; then the rules answer, and a \
         warning says so. Reading documents is not counted.",
    ),
    (
        "knowledge.index",
        "Folder of the search indexes, one for each database; `index` in the data folder when empty.",
    ),
    ("knowledge.files", "Files that a knowledge base may have."),
    ("knowledge.added", "Files, texts and chunks that one request may add to a knowledge base."),
    ("knowledge.attempts", "Attempts at a file of a knowledge base whose work fails in a way that may pass."),
    ("knowledge.concurrency", "Files of knowledge bases that are worked on at the same time."),
    (
        "knowledge.query_vector_ms",
        "Milliseconds that a search waits for the vector of its query before words alone answer; ten times as long \
         where a `mode` that needs the vector was asked for.",
    ),
    ("knowledge.vector_memory_bytes", "Bytes of memory for the vectors that searches go through."),
    (
        "ocr.program",
        "The program `tesseract`, which reads text in pictures; looked for on `PATH` when empty, `off` for none.",
    ),
    (
        "ocr.languages",
        "Languages that it reads, such as `eng+deu`; when empty, all that are installed if they are three at the \
         most, else English.",
    ),
    ("ocr.data", "Folder of the data of its languages; its own when empty."),
    ("ocr.dpi", "Pixels to the inch of the pages that it reads."),
    ("ocr.pages", "Pages of a document that it reads; further ones still need OCR."),
    (
        "ocr.processes",
        "Pages that are read at the same time, a process each; 0 means half of the processors, one at least.",
    ),
    ("ocr.page_seconds", "Seconds that OCR of a page may take."),
    ("ocr.document_seconds", "Seconds after which OCR of no further page of a document is begun."),
    ("ocr.memory_bytes", "Bytes of memory that a process for OCR may use."),
    ("fetch.web", "`on`, or `off`: then no web URL is fetched."),
    (
        "fetch.allow",
        "Hosts (`wiki.example.com`, `*.corp.example`), addresses and networks (`10.0.0.0/8`), parted by commas, that may \
         be fetched from though they are private, on any port. Metadata services never are.",
    ),
    ("fetch.ports", "Ports of public hosts that are fetched from, parted by commas."),
    ("fetch.robots", "`on` to ask sites' robots.txt before pages and documents, or `off`."),
    (
        "fetch.user_agent",
        "The `User-Agent`; what comes before its first `/` is the name that robots.txt knows.",
    ),
    ("fetch.connect_seconds", "Seconds that a connection to a site may take."),
    ("fetch.idle_seconds", "Seconds until a site's answer begins, and between two parts of it."),
    (
        "fetch.total_seconds",
        "Seconds that a fetch may take with all its redirects, and that it may wait for its turn.",
    ),
    ("fetch.page_bytes", "Bytes of a web page after decompression."),
    ("fetch.document_bytes", "Bytes of a document from the web after decompression."),
    ("fetch.image_bytes", "Bytes of a picture from the web after decompression."),
    ("fetch.feed_bytes", "Bytes of a feed after decompression."),
    ("fetch.concurrency", "Requests to the web at the same time."),
    ("fetch.host_concurrency", "Requests to one public host at the same time."),
    ("fetch.host_pause_ms", "Milliseconds between the beginnings of two requests to one public host."),
    (
        "fetch.cache_seconds",
        "Seconds for which an answer of the web is used again in its workspace, unless the site says less.",
    ),
    ("fetch.cache_bytes", "Bytes of answers of the web that are kept for that."),
    (
        "browser.program",
        "The program Chromium, which shows pages that have no text without scripts; looked for on `PATH` when empty, \
         `off` for none.",
    ),
    (
        "browser.sandbox",
        "`on`, or `off` where Chromium cannot have its own sandbox: as root, and in many containers. Without it a page \
         that breaks Chromium has the rights of the server.",
    ),
    ("browser.processes", "Browsers at the same time, one for each page."),
    (
        "browser.page_seconds",
        "Seconds that a page may take in the browser; a third of them while others wait for their turn.",
    ),
    (
        "browser.script_seconds",
        "Seconds of a page's own clock for its scripts; it runs ahead while nothing loads.",
    ),
    ("browser.memory_bytes", "Bytes of memory that the processes of one browser may use."),
    ("browser.traffic_bytes", "Bytes that a page in the browser may load and send."),
    (
        "search.web_order",
        "Who searches the web, of `searxng`, `brave` and `tavily`, parted by commas: the first that is configured is \
         asked, and the next where it fails.",
    ),
    (
        "search.news_order",
        "The same for news, with `feeds` as well, which need neither key nor server of one's own.",
    ),
    (
        "search.searxng.base_url",
        "Where a SearXNG server is, whose settings have `json` among `search.formats`; not configured when empty.",
    ),
    ("search.brave.base_url", "Where Brave's Search API is."),
    ("search.brave.key", "Brave's API key; Brave is not configured without one."),
    ("search.tavily.base_url", "Where Tavily's interface is."),
    ("search.tavily.key", "Tavily's API key; Tavily is not configured without one."),
    (
        "search.feeds",
        "Addresses of search feeds, with the places `{query}`, `{language}`, `{region}`, `{limit}`, `{days}` and \
         `{when}`; all are asked, as far as `fetch` lets them be.",
    ),
    ("search.feed_language", "Language and region of feeds where a search names no language."),
    ("search.call_seconds", "Seconds that a search of all its terms, and reading pages for it, may take."),
    ("search.provider_seconds", "Seconds that a provider may take before the next is asked."),
    (
        "search.cache_seconds",
        "Seconds for which a workspace's searches are answered as before; 0 means never.",
    ),
    ("search.full_texts", "Pages of each term whose text is read."),
    ("search.prompt_tokens", "Tokens that a term's `prompt_context` may have, roughly."),
    ("search.concurrency", "Questions to providers of search at the same time."),
    ("workers.http_threads", "Threads that serve HTTP; 0 means one for each processor, four at most."),
    ("workers.database_readers", "Threads that read the database."),
    ("workers.database_writers", "Threads that write to PostgreSQL."),
    ("workers.model_threads", "Threads of the built-in model; 0 means one for each processor, four at most."),
    ("workers.parsers", "Processes that parse documents; 0 means one for each processor, four at most."),
    ("workers.parser_documents", "Documents after which a parser process is replaced."),
    ("workers.parser_memory_bytes", "Bytes of memory that a parser process may use."),
    ("workers.parser_cpu_seconds", "Seconds of processor time that one document may take."),
    ("workers.parser_wall_seconds", "Seconds that one document may take by the clock."),
    ("workers.parser_idle_seconds", "Seconds after which an idle parser process is ended."),
    ("limits.json_body_bytes", "Bytes of a JSON body."),
    ("limits.groups_body_bytes", "Bytes of a JSON body with the groups of a batch run."),
    ("limits.file_bytes", "Bytes of one file."),
    ("limits.files_per_upload", "Files of one upload."),
    ("limits.note_bytes", "Bytes of a note's content, and of its meta."),
    ("limits.groups_per_run", "Groups of one batch run."),
    ("limits.documents_per_group", "Documents of one group."),
    ("limits.group_attempts", "Attempts at a group whose model or documents fail in a way that may pass."),
    ("limits.run_concurrency", "Groups of one run that are worked on at the same time."),
    ("limits.workspace_concurrency", "Groups of one workspace that are worked on at the same time."),
    ("limits.total_concurrency", "Groups of all runs that are worked on at the same time."),
    (
        "limits.lease_seconds",
        "Seconds after which what a server worked on goes to another, when nothing is heard of it any more.",
    ),
    (
        "limits.request_seconds",
        "Seconds that a request may take to arrive, and that a shutdown waits for open requests.",
    ),
    (
        "limits.requests_per_minute",
        "Requests that an API key without a limit of its own may make in a minute; 0 means any number.",
    ),
    (
        "export.escape_formulas",
        "`on` to put an apostrophe before texts of comma-separated values that a spreadsheet would run as formulas, or \
         `off` to write all texts as they are.",
    ),
    (
        "files.require_key",
        "`on` to give the content of files and thumbnails only to those who send an API key of the workspace with the \
         request, or `off`: whoever holds the URL reads it.",
    ),
    (
        "files.url_seconds",
        "Seconds for which a URL of a file or thumbnail can be read; answers have new ones each time. 0 means for as \
         long as the file is there.",
    ),
    (
        "files.url_secrets",
        "Secrets that sign URLs which end, parted by commas, each of 16 bytes or more: the first signs, and what the \
         others signed holds until it ends. To change the secret, put the new one before the old one, and leave the \
         old one out once `files.url_seconds` have passed. One is made and kept in the data folder when empty; several \
         servers of one database need the same.",
    ),
];

/// Settings that only the file can have: tables and lists.
const IN_THE_FILE: &[&str] = &["feeds", "headers", "own", "prices"];

/// The documented environment variable of a setting: the usual one of a vendor, a short one for common
/// settings, and else the nested one. `None` for settings that only the file can have.
pub(super) fn documented_variable(key: &str) -> Option<String> {
    let vendor = key.strip_prefix("models.").and_then(|rest| rest.split_once('.'));
    let search = key.strip_prefix("search.").and_then(|rest| rest.split_once('.'));
    Some(match vendor.or(search) {
        Some(("searxng", "base_url")) => "FORMWORK_SEARXNG_URL".to_owned(),
        Some((vendor, "base_url")) => format!("FORMWORK_{}_BASE_URL", vendor.to_uppercase()),
        Some(("google", "key")) => "GEMINI_API_KEY".to_owned(),
        Some((vendor, "key")) => format!("{}_API_KEY", vendor.to_uppercase()),
        _ if key == "fetch.allow" => "FORMWORK_FETCH_ALLOW".to_owned(),
        _ if IN_THE_FILE.contains(&key.rsplit('.').next().unwrap_or(key)) => return None,
        _ => nested_variable(key),
    })
}

/// `FORMWORK_` and the setting's name, with `__` for each dot.
pub(super) fn nested_variable(key: &str) -> String {
    format!("FORMWORK_{}", key.to_uppercase().replace('.', "__"))
}

/// The reference as Markdown.
#[must_use]
pub fn reference_markdown() -> String {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let mut text = String::from(
        "# Configuration\n\n\
         Every setting has a default. `formwork.toml` in the working folder (or the file named by `--config`) \
         overrides it, the environment overrides the file, and flags override the environment. A key that is not \
         known is refused in the file. `formwork config` prints what is in force, without passwords.\n\n\
         Each setting that the environment can have is taken under the name in the table; under `FORMWORK_` and its \
         name in the file, in capitals with `__` for each dot (`FORMWORK_LIMITS__FILE_BYTES`); and with `_` for each \
         dot (`FORMWORK_LIMITS_FILE_BYTES`), where that is the name of no other setting. Where several are set, the \
         first of these counts. A variable that begins with `FORMWORK_` and sets nothing is named in a warning at the \
         start, with the name that is most like it.\n\n\
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
