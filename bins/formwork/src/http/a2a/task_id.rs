//! Identifiers of tasks. A task is a session. The first task of a context has its id; later ones name it.

use std::fmt;

/// Identifier of a task: its session, and its context where that is another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TaskId {
    /// The session that holds the task.
    pub(super) session: String,
    /// The first session of the context.
    pub(super) context: String,
}

impl TaskId {
    pub(super) fn new(session: &str, context: Option<&str>) -> Self {
        Self { session: session.to_owned(), context: context.unwrap_or(session).to_owned() }
    }

    pub(super) fn parse(text: &str) -> Self {
        match text.split_once('.') {
            Some((session, context)) => Self::new(session, Some(context)),
            None => Self::new(text, None),
        }
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.session == self.context {
            true => f.write_str(&self.session),
            false => write!(f, "{}.{}", self.session, self.context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_reads_back_with_its_context() {
        for (session, context, text) in
            [("s1", None, "s1"), ("s1", Some("s1"), "s1"), ("s2", Some("s1"), "s2.s1")]
        {
            let id = TaskId::new(session, context);
            assert_eq!(id.to_string(), text);
            assert_eq!(TaskId::parse(text), id);
        }
    }
}
