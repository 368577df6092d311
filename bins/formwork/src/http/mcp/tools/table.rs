//! The tools of the server, each on an operation.

use serde_json::{Value, json};

/// What an agent sees of a tool, and what it is made of.
#[derive(Debug)]
pub(super) struct ToolSpec {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// What an agent needs to know to choose and call it.
    pub(super) description: &'static str,
    /// The operation that it calls, or whose rights it needs.
    pub(super) operation: &'static str,
    pub(super) kind: Kind,
    pub(super) need: Need,
    pub(super) effect: Effect,
    /// Whether it reaches beyond the server.
    pub(super) is_open_world: bool,
    /// The definition of its arguments, where the operation's body is one of several.
    pub(super) body: Option<&'static str>,
    /// Parameters of the operation that the tool does not have.
    pub(super) omitted: &'static [&'static str],
}

/// How a tool is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// As its operation.
    Operation,
    /// As its operation, also with documents in the arguments.
    Documents,
    /// By the extraction engine.
    Extract,
    /// As its operation, with questions to the client's user.
    Form,
    /// As its operation, and followed to its end.
    Run,
}

/// What a tool needs of the settings.
#[derive(Clone, Copy, Debug)]
pub(super) enum Need {
    Nothing,
    /// A provider of web search.
    Search,
    /// Fetching from the web.
    Web,
}

/// What a tool changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// Nothing.
    Reads,
    /// It adds something.
    Adds,
    /// It removes or ends something.
    Removes,
}

impl Effect {
    pub(super) fn annotations(self, title: &str, is_open_world: bool) -> Value {
        json!({
            "title": title,
            "readOnlyHint": matches!(self, Self::Reads),
            "destructiveHint": matches!(self, Self::Removes),
            "idempotentHint": !matches!(self, Self::Adds),
            "openWorldHint": is_open_world
        })
    }
}

/// A tool that only reads.
const READ: ToolSpec = ToolSpec {
    name: "",
    title: "",
    description: "",
    operation: "",
    kind: Kind::Operation,
    need: Need::Nothing,
    effect: Effect::Reads,
    is_open_world: false,
    body: None,
    omitted: &["page"],
};

/// A tool on documents.
const DOCUMENTS: ToolSpec = ToolSpec { kind: Kind::Documents, is_open_world: true, ..READ };

/// Every tool.
pub(super) const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "extract_record",
        title: "Extract a record from documents",
        description: "Fills a form from documents and returns the validated record with the evidence of every value: \
            document, page, quote, offsets and confidence. What the documents do not state is null. The form is a \
            stored one (form_id) or given as fields (schema).",
        operation: "run_delta",
        kind: Kind::Extract,
        effect: Effect::Adds,
        is_open_world: true,
        ..READ
    },
    ToolSpec {
        name: "parse_documents",
        title: "Parse documents to Markdown",
        description: "Converts documents (PDF, Office, e-mail, images with OCR, HTML and others) to Markdown, one item \
            per document.",
        operation: "parse_documents",
        ..DOCUMENTS
    },
    ToolSpec {
        name: "extract_tables",
        title: "Extract tables",
        description: "Returns the tables of documents with their cells, one item per document.",
        operation: "extract_tables",
        ..DOCUMENTS
    },
    ToolSpec {
        name: "extract_key_values",
        title: "Extract key-value pairs",
        description: "Returns the key-value pairs of documents, such as the fields and labels of printed forms, one item \
            per document.",
        operation: "extract_key_values",
        ..DOCUMENTS
    },
    ToolSpec {
        name: "list_knowledge_bases",
        title: "List knowledge bases",
        description: "Lists the knowledge bases with their ids, newest first.",
        operation: "list_knowledge_bases",
        ..READ
    },
    ToolSpec {
        name: "search_knowledge_base",
        title: "Search a knowledge base",
        description: "Finds the passages of a knowledge base that match a question or keywords. Each has its source file, \
            title, page, heading and offsets, by which an answer can cite it.",
        operation: "search_knowledge_base",
        omitted: &["page", "wait_for", "wait_seconds"],
        ..READ
    },
    ToolSpec {
        name: "search_web",
        title: "Search the web",
        description: "Searches the web for each term and returns the pages found, with the full texts of the first ones.",
        operation: "search_web",
        need: Need::Search,
        is_open_world: true,
        ..READ
    },
    ToolSpec {
        name: "read_web_pages",
        title: "Read web pages",
        description: "Converts the main content of web pages to Markdown, with title, dates and links.",
        operation: "parse_pages",
        need: Need::Web,
        is_open_world: true,
        ..READ
    },
    ToolSpec {
        name: "list_files",
        title: "List files",
        description: "Lists the uploaded files with their ids, newest first.",
        operation: "list_files",
        ..READ
    },
    ToolSpec {
        name: "list_forms",
        title: "List forms",
        description: "Lists the forms with their ids, newest first.",
        operation: "list_forms",
        ..READ
    },
    ToolSpec {
        name: "get_form",
        title: "Get a form",
        description: "Returns a form with the definitions of its fields.",
        operation: "get_form",
        ..READ
    },
    ToolSpec {
        name: "list_agents",
        title: "List agents",
        description: "Lists the agents with their namespaces and forms, newest first. Conversations and runs name an \
            agent by its namespace.",
        operation: "list_agents",
        ..READ
    },
    ToolSpec {
        name: "list_notes",
        title: "List notes",
        description: "Lists the notes on an agent, a knowledge base or a file, newest first.",
        operation: "list_notes",
        ..READ
    },
    ToolSpec {
        name: "create_note",
        title: "Create a note",
        description: "Adds a note to an agent, a knowledge base or a file.",
        operation: "create_note",
        effect: Effect::Adds,
        ..READ
    },
    ToolSpec {
        name: "delete_notes",
        title: "Delete notes",
        description: "Deletes notes of an agent, a knowledge base or a file, by their ids or all of them.",
        operation: "delete_notes",
        effect: Effect::Removes,
        ..READ
    },
    ToolSpec {
        name: "chat",
        title: "Send a message to an agent",
        description: "Sends a message to an agent. An agent with a form fills it from what is said and asks for the next \
            field; one without a form answers from its knowledge bases with citations. The session_id of the answer \
            continues the conversation.",
        operation: "chat",
        effect: Effect::Adds,
        is_open_world: true,
        omitted: &["stream", "wait_for", "wait_seconds"],
        ..READ
    },
    ToolSpec {
        name: "fill_form",
        title: "Fill a form with the user",
        description: "Fills the form of an agent in a conversation. Where the client can ask its user, each question is \
            put to the user until the form is submitted. Elsewhere the answer has the next question: call the tool \
            again with the session_id and the user's answer as message.",
        operation: "chat",
        kind: Kind::Form,
        effect: Effect::Adds,
        is_open_world: true,
        omitted: &["stream", "wait_for", "wait_seconds", "response_format", "evidence"],
        ..READ
    },
    ToolSpec {
        name: "start_run",
        title: "Start a batch extraction",
        description: "Starts a run of an agent over groups of documents; each group gives one record. Clients with tasks \
            get a task. Others get the run at once, or with wait at its end; get_run and get_run_responses follow it.",
        operation: "run_delta",
        kind: Kind::Run,
        effect: Effect::Adds,
        is_open_world: true,
        body: Some("DeltaGroups"),
        omitted: &["async", "evidence"],
        ..READ
    },
    ToolSpec {
        name: "get_run",
        title: "Get the state of a run",
        description: "Returns the state and progress of a run, and a page of its groups.",
        operation: "get_delta_run",
        omitted: &[],
        ..READ
    },
    ToolSpec {
        name: "get_run_responses",
        title: "Get the records of a run",
        description: "Returns the records that runs of an agent extracted; sid selects one run.",
        operation: "list_delta_responses",
        omitted: &["format"],
        ..READ
    },
    ToolSpec {
        name: "cancel_run",
        title: "Cancel a run",
        description: "Cancels a run. Finished groups keep their records.",
        operation: "cancel_delta_run",
        effect: Effect::Removes,
        ..READ
    },
];
