//! Every setting with its meaning.

/// Every setting with its dotted key and its meaning.
pub(super) const SETTINGS: &[(&str, &str)] = &[
    ("listen", "Address and port to listen on."),
    (
        "public_url",
        "URL under which clients reach the server; `http://` and the listening address when empty.",
    ),
    ("data_dir", "Folder of the database, the blobs, the search index and the first key."),
    ("database_url", "`sqlite://…` or `postgres://…`; a file in the data folder when empty."),
    (
        "blobs",
        "Where the files' contents are: a folder, or `s3://bucket/prefix` ([operations.md](operations.md)); the folder `blobs` \
         in the data folder when empty.",
    ),
    (
        "s3.endpoint",
        "URL of a service compatible with S3, such as `https://minio.example.com`; Amazon's when empty.",
    ),
    (
        "s3.region",
        "Region of the bucket; any for most compatible services. `AWS_DEFAULT_REGION` sets it, too.",
    ),
    ("s3.access_key_id", "Id of the access key for the bucket."),
    ("s3.secret_access_key", "Secret of the access key."),
    ("s3.session_token", "Token of temporary credentials; none when empty. The server does not renew them."),
    (
        "s3.path_style",
        "`on`: the bucket is in the path of URLs, as most compatible services expect; `off`: in the name of the host.",
    ),
    (
        "s3.allow_http",
        "`on`: the endpoint may be plain HTTP, so contents cross the network unencrypted. On this machine it always may.",
    ),
    ("log.format", "`text` or `json`."),
    ("log.level", "Log filter: a level, or directives such as `info,formwork=debug`."),
    (
        "cors.origins",
        "Origins whose pages may call the server, such as `https://app.example.com`, comma-separated; `*` \
         for all, none when empty.",
    ),
    ("first.workspace", "Name of the first workspace."),
    ("first.user_name", "Name of the first user."),
    ("first.user_email", "E-mail address of the first user."),
    ("models.default", "Default model, for agents without one and for generated schemas."),
    ("models.connect_seconds", "Time limit of a connection to a provider, in seconds."),
    ("models.call_seconds", "Time limit of one call of a provider, in seconds."),
    ("models.idle_seconds", "Maximum silence of a provider within an answer, in seconds."),
    ("models.retries", "Maximum number of retries of a call after retryable failures."),
    ("models.concurrency", "Maximum number of concurrent calls per provider."),
    (
        "models.folder",
        "Folder of the embedding models that run in the server, as `formwork models add` fills it; `models` in the data \
         folder when empty. The id of a model is `<its folder's name>@formwork`.",
    ),
    (
        "models.local_embeddings",
        "Folder of one more such model, outside of `models.folder`. None when empty.",
    ),
    ("models.openai.base_url", "Base URL of OpenAI's API."),
    ("models.openai.key", "OpenAI's API key; OpenAI is not configured without one."),
    ("models.openai.headers", "A table of headers sent with every call."),
    ("models.anthropic.base_url", "Base URL of Anthropic's API."),
    ("models.anthropic.key", "Anthropic's API key; Anthropic is not configured without one."),
    ("models.anthropic.headers", "A table of headers sent with every call."),
    ("models.google.base_url", "Base URL of Google's API."),
    ("models.google.key", "Google's API key; Google is not configured without one."),
    ("models.google.headers", "A table of headers sent with every call."),
    ("models.mistral.base_url", "Base URL of Mistral's API."),
    ("models.mistral.key", "Mistral's API key; Mistral is not configured without one."),
    ("models.mistral.headers", "A table of headers sent with every call."),
    (
        "models.own",
        "Servers with an OpenAI-compatible API: tables `[[models.own]]` with `name`, `base_url`, and where \
         needed `key_env`, the variable that holds the key, `headers`, `voice`, `size` (such as `1024x1024`) and `rerank`, \
         the interface of its rerankers: `jina` (also of vLLM and llama.cpp; the default), `cohere`, `voyage` or `tei`. Their \
         models have ids `<name>/<model>@formwork`. The kind of a model comes from the server's list, else from its \
         name for the usual open models. Tables `[[models.own.models]]` with `name` override this: `kind` \
         (`text-to-text`, `text-to-image`, `text-to-speech`, `text-to-embedding`, `text-to-score`), `voice`, `size`, `input`, \
         `cached_input`, `output` in US dollars per million tokens, `picture` per picture, `context_tokens`, \
         `output_tokens`, `vision` (whether it takes pictures; they are tried when absent).",
    ),
    (
        "models.prices",
        "Tables `[models.prices.\"model@provider\"]` with `input`, `cached_input`, `output` in US dollars per \
         million tokens, `picture` in US dollars per picture, `context_tokens`, `output_tokens`. They override the built-in catalogue.",
    ),
    (
        "extraction.unsupported",
        "How values without support in the documents are handled: `keep` them, with their low confidence; `ask` \
         the model once more, and use null if they are still not found; or `null` immediately. Booleans, \
         options of an `enum`, values that a second reader confirms, and values that are likely right \
         nevertheless are always kept.",
    ),
    (
        "extraction.second_reader",
        "Model that reads the filled fields a second time, for their confidence: `builtin`, free of \
         charge; `off`; or another model, `model@provider`, in addition to the built-in one, charged to the \
         caller.",
    ),
    (
        "extraction.second_reader_when",
        "When a second reader that costs something is called: in `doubt`, where a value would not be accepted \
         without it, or `always`.",
    ),
    (
        "extraction.acceptable_error",
        "Maximum share of values with `accepted: true` in the evidence that may be wrong, 0 to 1.",
    ),
    ("extraction.pictures", "Pictures of doubtful pages for models that see: `auto` or `never`."),
    ("extraction.pictures_per_call", "Maximum pictures in one call; fewer for small context windows."),
    ("extraction.pictures_per_group", "Maximum pages of a group as pictures; those without text first."),
    ("extraction.picture_tokens_per_group", "Maximum input tokens of a group's pictures; 0 for no limit."),
    (
        "batches.gather_seconds",
        "Runs with `mode=batch`: seconds without a new call after which a batch is submitted that is not full.",
    ),
    (
        "batches.poll_seconds",
        "Minimum seconds between two looks at a batch; they grow with its age, up to 600.",
    ),
    (
        "batches.resubmit_seconds",
        "Seconds after which a submission without an answer is repeated if the provider does not have the batch. Longer \
         than `models.call_seconds`, so that none is paid twice.",
    ),
    (
        "chat.turn_seconds",
        "Time limit in seconds of text models for a turn of the guided conversation; then the rules answer, and a \
         warning says so. Reading documents is not counted.",
    ),
    ("knowledge.index", "Folder of the search indexes; `index` in the data folder when empty."),
    ("knowledge.files", "Maximum number of files of a knowledge base."),
    (
        "knowledge.added",
        "Maximum number of files, texts and chunks that one request may add to a knowledge base.",
    ),
    (
        "knowledge.attempts",
        "Maximum number of attempts at a file of a knowledge base after retryable failures.",
    ),
    ("knowledge.concurrency", "Maximum number of files of knowledge bases that are processed concurrently."),
    (
        "knowledge.query_vector_ms",
        "Milliseconds that a search waits for the embedding of its query before it falls back to lexical search; ten \
         times as long where the requested `mode` needs the embedding.",
    ),
    (
        "knowledge.rerank_ms",
        "Milliseconds that a search waits for a reranking model before its results keep the order of the first stage.",
    ),
    ("knowledge.vector_memory_bytes", "Maximum memory in bytes for the vectors that searches scan."),
    (
        "knowledge.vectors",
        "Where vectors are searched ([knowledge.md](knowledge.md)): `memory`, of each server; `pgvector`, in PostgreSQL by \
         that extension, which is created if need be; `auto`, by pgvector where the extension exists in the database, else \
         in memory.",
    ),
    ("ocr.program", "The program `tesseract` for OCR; looked up on `PATH` when empty, `off` for none."),
    (
        "ocr.languages",
        "Languages of OCR, such as `eng+deu`; when empty, all installed ones if there are at most three, \
         else English.",
    ),
    ("ocr.data", "Folder of the language data; the program's default when empty."),
    ("ocr.dpi", "Resolution of rendered pages in pixels per inch."),
    ("ocr.pages", "Maximum number of pages of a document that get OCR; further pages stay unread."),
    (
        "ocr.processes",
        "Maximum number of pages that get OCR concurrently, one process each; 0 means half of the processors, at least one.",
    ),
    ("ocr.page_seconds", "Time limit of OCR of a page, in seconds."),
    ("ocr.document_seconds", "Seconds after which OCR of no further page of a document is started."),
    ("ocr.memory_bytes", "Maximum memory of an OCR process in bytes."),
    ("fetch.web", "`on`, or `off` to fetch no web URL."),
    (
        "fetch.allow",
        "Hosts (`wiki.example.com`, `*.corp.example`), addresses and networks (`10.0.0.0/8`), comma-separated, that may \
         be fetched from though they are private, on any port. Metadata services never are.",
    ),
    ("fetch.ports", "Allowed ports of public hosts, comma-separated."),
    ("fetch.robots", "`on` to respect sites' robots.txt for pages and documents, or `off`."),
    (
        "fetch.user_agent",
        "The `User-Agent`; the part before its first `/` is the name that robots.txt rules match.",
    ),
    ("fetch.connect_seconds", "Time limit of a connection to a site, in seconds."),
    (
        "fetch.idle_seconds",
        "Time limit until a site's answer begins, and between two parts of it, in seconds.",
    ),
    (
        "fetch.total_seconds",
        "Time limit in seconds of a fetch with all its redirects, and of its wait for a permit.",
    ),
    ("fetch.page_bytes", "Maximum size of a web page in bytes after decompression."),
    ("fetch.document_bytes", "Maximum size of a web document in bytes after decompression."),
    ("fetch.image_bytes", "Maximum size of a web picture in bytes after decompression."),
    ("fetch.feed_bytes", "Maximum size of a feed in bytes after decompression."),
    ("fetch.concurrency", "Maximum number of concurrent web requests."),
    ("fetch.host_concurrency", "Maximum number of concurrent requests per public host."),
    ("fetch.host_pause_ms", "Minimum milliseconds between the starts of two requests to one public host."),
    ("fetch.cache_seconds", "TTL in seconds of cached web answers, per workspace; a site can shorten it."),
    ("fetch.cache_bytes", "Maximum size of the cache of web answers in bytes."),
    (
        "browser.program",
        "The program Chromium, which renders pages that have no text without scripts; looked up on `PATH` when empty, \
         `off` for none.",
    ),
    (
        "browser.sandbox",
        "`on`, or `off` where Chromium's own sandbox cannot work: as root, and in many containers. Without it a page \
         that exploits Chromium has the rights of the server.",
    ),
    ("browser.processes", "Maximum number of concurrent browsers, one per page."),
    (
        "browser.page_seconds",
        "Time limit of a page in the browser, in seconds; a third of it while other pages wait.",
    ),
    (
        "browser.script_seconds",
        "Virtual time for the scripts of a page, in seconds; it runs ahead while nothing loads.",
    ),
    ("browser.memory_bytes", "Maximum memory of the processes of one browser in bytes."),
    ("browser.traffic_bytes", "Maximum traffic of a page in the browser in bytes, both directions."),
    (
        "search.web_order",
        "Providers of web search among `searxng`, `brave` and `tavily`, comma-separated: the first configured one is \
         asked, and the next one when it fails.",
    ),
    (
        "search.news_order",
        "Providers of news search; as for the web, plus `feeds`, which need no key and no server of your own.",
    ),
    (
        "search.searxng.base_url",
        "Base URL of a SearXNG server with `json` among its `search.formats`; not configured when empty.",
    ),
    ("search.brave.base_url", "Base URL of Brave's Search API."),
    ("search.brave.key", "Brave's API key; Brave is not configured without one."),
    ("search.tavily.base_url", "Base URL of Tavily's API."),
    ("search.tavily.key", "Tavily's API key; Tavily is not configured without one."),
    (
        "search.feeds",
        "URL templates of search feeds with the placeholders `{query}`, `{language}`, `{region}`, `{limit}`, `{days}` and \
         `{when}`; all feeds are read, subject to the settings of `fetch`.",
    ),
    ("search.feed_language", "Default language and region of feeds."),
    ("search.call_seconds", "Time limit of a search with all its terms and full texts, in seconds."),
    ("search.provider_seconds", "Time limit of a provider in seconds before the next one is asked."),
    ("search.cache_seconds", "TTL in seconds of cached search answers, per workspace; 0 means no cache."),
    ("search.full_texts", "Number of pages per term whose full text is fetched."),
    ("search.prompt_tokens", "Approximate maximum number of tokens of a term's `prompt_context`."),
    ("search.concurrency", "Maximum number of concurrent requests to search providers."),
    ("workers.http_threads", "Threads that serve HTTP; 0 means one per processor, at most four."),
    ("workers.database_readers", "Threads that read the database."),
    ("workers.database_writers", "Threads that write to PostgreSQL."),
    ("workers.model_threads", "Threads of the built-in model; 0 means one per processor, at most four."),
    ("workers.parsers", "Parser processes; 0 means one per processor, at most four."),
    ("workers.parser_documents", "Number of documents after which a parser process is replaced."),
    ("workers.parser_memory_bytes", "Maximum memory of a parser process in bytes."),
    ("workers.parser_cpu_seconds", "Time limit of one document in seconds of processor time."),
    ("workers.parser_wall_seconds", "Time limit of one document in seconds of wall-clock time."),
    ("workers.parser_idle_seconds", "Idle seconds after which a parser process is ended."),
    (
        "workers.sandbox",
        "`on` confines parser processes and OCR as far as the system can, `required` lets nothing run that is not \
         confined completely, `off` confines nothing.",
    ),
    ("limits.json_body_bytes", "Maximum size of a JSON body in bytes."),
    ("limits.groups_body_bytes", "Maximum size in bytes of a JSON body with the groups of a batch run."),
    (
        "limits.pictures_body_bytes",
        "Maximum size in bytes of a JSON body with pictures in data URLs. All else in it has at most \
         `limits.json_body_bytes`.",
    ),
    ("limits.file_bytes", "Maximum size of a file in bytes."),
    ("limits.files_per_upload", "Maximum number of files of one upload."),
    ("limits.note_bytes", "Maximum size in bytes of a note's content, and of its meta."),
    ("limits.groups_per_run", "Maximum number of groups of one batch run."),
    ("limits.documents_per_group", "Maximum number of documents of one group."),
    ("limits.group_attempts", "Maximum number of attempts at a group after retryable failures."),
    ("limits.run_concurrency", "Maximum number of concurrent groups of one run on a server."),
    ("limits.workspace_concurrency", "Maximum number of concurrent groups of one workspace on a server."),
    ("limits.total_concurrency", "Maximum number of concurrent groups of all runs on a server."),
    (
        "limits.lease_seconds",
        "Duration of a lease in seconds. Jobs of a server that does not renew its leases go to another, and requests \
         with an 'Idempotency-Key' may be sent again.",
    ),
    ("limits.request_seconds", "Time limit in seconds for a request to arrive."),
    (
        "limits.upload_bytes_per_second",
        "Minimum rate of uploads in bytes per second, over request_seconds; 0 for none.",
    ),
    (
        "limits.drain_seconds",
        "Time limit in seconds for requests, model calls and other jobs in flight at shutdown. Jobs that do not end in \
         this time continue with the next server.",
    ),
    (
        "limits.database_seconds",
        "Time limit in seconds of each database operation of a request, waiting and running; deletions and other \
         operations on many rows have a minute once they have begun. A database that does not answer in time makes the \
         request fail with `store_unavailable`.",
    ),
    ("limits.requests_per_minute", "Default limit of requests per minute of an API key; 0 means unlimited."),
    (
        "export.escape_formulas",
        "`on` to put an apostrophe before texts of comma-separated values that a spreadsheet would run as formulas, or \
         `off` to write all texts as they are.",
    ),
    (
        "files.require_key",
        "`on` to require an API key of the workspace for the content of files and thumbnails, or `off`: anyone \
         who has the URL can read it.",
    ),
    (
        "files.url_seconds",
        "Lifetime in seconds of a URL of a file or thumbnail; every answer has new ones. 0 means as \
         long as the file exists.",
    ),
    (
        "files.url_secrets",
        "Secrets that sign expiring URLs, comma-separated, each of 16 bytes or more: the first one signs; URLs that the \
         others signed stay valid until they expire. To rotate the secret, put the new one first, and remove the \
         old one after `files.url_seconds`. When empty, one is generated and stored in the data folder; several \
         servers on one database need the same.",
    ),
    (
        "metrics.listen",
        "Address and port of `GET /metrics` for Prometheus, such as `127.0.0.1:9464`; no metrics when empty. It needs no \
         key, so it must not be reachable from outside.",
    ),
    (
        "traces.endpoint",
        "Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`: traces are sent to `/v1/traces` below it, \
         as OTLP in Protobuf; no traces when empty ([operations.md](operations.md)).",
    ),
    ("traces.headers", "A table of headers sent with every export, such as the key of a service."),
    ("traces.service_name", "The name of this service in traces, `service.name`."),
    (
        "traces.sample_ratio",
        "Share of the traces that begin in this server and are recorded, 0 to 1. A request with `traceparent` is \
         recorded if its caller recorded it.",
    ),
    (
        "traces.send_to_providers",
        "`on` to send `traceparent` with calls of model providers, so that a provider of your own continues the trace, \
         or `off`.",
    ),
    (
        "audit.days",
        "Days for which the audit log has its events: who created, changed, deleted or exported what. 0 for no audit log.",
    ),
    (
        "sign_in.oidc.issuer",
        "Issuer identifier of an OpenID provider, exactly as its metadata has it, such as `https://id.example.com/realms/main`; \
         no sign-in by OpenID Connect when empty ([administration.md](administration.md)).",
    ),
    ("sign_in.oidc.client_id", "Id of this server's registration at the provider."),
    ("sign_in.oidc.client_secret", "Secret of the registration; a public client has none."),
    (
        "sign_in.oidc.redirect_url",
        "Where the provider sends browsers back to; `public_url` and `/v1/sign_in/oidc/callback` when empty. A page of \
         one's own must pass its query on to that path.",
    ),
    ("sign_in.oidc.scopes", "Scopes of the request, separated by spaces; `openid` is needed."),
    ("sign_in.oidc.email_claim", "The claim of ID token or user info with the e-mail address."),
    (
        "sign_in.oidc.email_verified",
        "`on`: the claim `email_verified` must be true; `off` only for a provider that gives nobody an address of \
         another.",
    ),
    ("sign_in.oidc.allowed_domains", "Domains whose addresses may sign in, comma-separated; all when empty."),
    (
        "sign_in.oidc.new_members_workspace",
        "Id of the workspace of which unknown addresses of `allowed_domains` become members when they sign in; when \
         empty, only members sign in.",
    ),
    ("sign_in.oidc.new_members_role", "The role of these members: `viewer` or `member`."),
    (
        "sign_in.oidc.allow_http",
        "`on`: the provider may be plain HTTP, so whoever is in the network can sign in as anybody. On this machine it always may.",
    ),
    ("sign_in.oidc.call_seconds", "Time limit in seconds of each use of the provider, with all its calls."),
];
