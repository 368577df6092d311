//! Differences between the interfaces.

use serde::Serialize;

/// The interface of a reranker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RerankForm {
    /// Jina's, also of vLLM, llama.cpp, Infinity and LocalAI: `documents`, answered with `results`.
    #[default]
    Jina,
    /// Cohere's version 2: as Jina's, but the documents are never returned.
    Cohere,
    /// Voyage's: `documents`, answered with `data`.
    Voyage,
    /// That of Text Embeddings Inference: `texts`, answered with a list.
    Tei,
}

impl RerankForm {
    /// All interfaces with their names in settings.
    const NAMED: [(&'static str, Self); 4] =
        [("jina", Self::Jina), ("cohere", Self::Cohere), ("voyage", Self::Voyage), ("tei", Self::Tei)];

    /// The interface of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(own, _)| *own == name).map(|(_, form)| form)
    }

    /// The names of all interfaces, for messages.
    #[must_use]
    pub fn names() -> String {
        Self::NAMED.map(|(name, _)| name).join(", ")
    }

    /// The version segment of its path, which an address without a path lacks; empty for none.
    #[must_use]
    pub fn version(self) -> &'static str {
        match self {
            Self::Jina | Self::Voyage => "v1",
            Self::Cohere => "v2",
            Self::Tei => "",
        }
    }

    /// Whether its servers list their models as OpenAI does.
    #[must_use]
    pub fn has_model_list(self) -> bool {
        self == Self::Jina
    }

    /// Its name in traces.
    pub(super) fn interface(self) -> &'static str {
        match self {
            Self::Jina => "jina",
            Self::Cohere => "cohere",
            Self::Voyage => "voyage",
            Self::Tei => "tei",
        }
    }

    /// Maximum number of texts per call. TEI's default is 32 (`--max-client-batch-size`); the others accept
    /// more than a thousand, of which fewer are sent, since the limits of own servers are not known.
    pub(super) fn texts(self) -> usize {
        if self == Self::Tei { 32 } else { super::scores::MOST }
    }

    /// The body of a call.
    pub(super) fn body<'a>(self, model: &'a str, query: &'a str, texts: &'a [String]) -> RerankBody<'a> {
        let mut body = RerankBody { query, ..RerankBody::default() };
        if self == Self::Tei {
            // A server has one model, and refuses longer texts unless it may truncate them.
            body.texts = texts;
            body.truncate = Some(true);
        } else {
            body.model = Some(model);
            body.documents = texts;
            body.return_documents = (self != Self::Cohere).then_some(false);
        }
        body
    }
}

/// Body of `POST …/rerank`. No maximum of results is requested, as a score of each text is needed.
#[derive(Debug, Default, Serialize)]
pub(super) struct RerankBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    query: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    documents: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    texts: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    return_documents: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncate: Option<bool>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_interface_is_asked_in_its_own_words() {
        let texts = ["a".to_owned(), "b".to_owned()];
        let sent = |form: RerankForm| serde_json::to_value(form.body("m", "q", &texts)).unwrap();
        let jina = json!({"model": "m", "query": "q", "documents": ["a", "b"], "return_documents": false});
        assert_eq!((sent(RerankForm::Jina), sent(RerankForm::Voyage)), (jina.clone(), jina));
        let cohere = json!({"model": "m", "query": "q", "documents": ["a", "b"]});
        assert_eq!(sent(RerankForm::Cohere), cohere);
        let tei = json!({"query": "q", "texts": ["a", "b"], "truncate": true});
        assert_eq!(sent(RerankForm::Tei), tei);
    }

    #[test]
    fn an_interface_is_found_by_its_name() {
        assert_eq!(RerankForm::from_name("tei"), Some(RerankForm::Tei));
        assert_eq!(RerankForm::from_name("openai"), None);
        assert_eq!(RerankForm::names(), "jina, cohere, voyage, tei");
    }
}
