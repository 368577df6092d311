//! What the classifier and the splitter share: the documents of a call, the forms, and what is told of a document.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use document::{Document, DocumentPart, PageRanges, ReadDocument};
use forms_core::FormsError;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use gen_core::{CallerContext, ModelId};
use intake_core::{FormProfile, Quote, Ranking, ask_model, combine, content_hash, rank};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use shared_core::{DomainError as _, ErrorKind, Scope, offload};
use utilities_core::{Inputs, ItemError, ReadInput};

use crate::app::AppState;
use crate::http::file_ref::FileRef;
use crate::http::{ApiError, rules};

/// Forms of one call at most. Bounds the time: every form is compared with every label of a document. Chosen by hand.
pub(super) const MAX_FORMS: usize = 50;

/// Calls of a model for one request at most: a file may have thousands of parts. Later parts are classified by rules.
/// Chosen by hand.
const MAX_MODEL_CALLS: usize = 200;

/// A document of a call.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "IntakeDocument")]
pub(super) struct DocumentBody {
    /// A file id, the file's own URL, or an address of the web.
    url: FileRef,
    #[serde(default)]
    #[schemars(schema_with = "pages")]
    pages: Option<PageRanges>,
}

fn pages(_: &mut SchemaGenerator) -> Schema {
    rules::pages().try_into().unwrap_or_default()
}

/// A document of a call after reading, or why it was not read.
pub(super) struct IntakeDocument {
    pub(super) url: String,
    pub(super) pages: Option<PageRanges>,
    pub(super) read: Result<DocumentView, ItemError>,
}

/// A document, or some of its pages.
pub(super) struct DocumentView {
    pub(super) document: Arc<Document>,
    /// Its characters in the whole; empty for a whole document.
    ranges: Vec<Range<usize>>,
    /// Hash of its content.
    pub(super) hash: [u8; 32],
}

/// The forms of a call, and who pays for the model that is asked.
pub(super) struct Classifier {
    state: AppState,
    payer: CallerContext,
    forms: Arc<[FormProfile]>,
    model: Option<ModelId>,
    calls: AtomicUsize,
}

/// The form that a document fills.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FormClassification")]
pub(super) struct ClassificationRecord {
    /// The likeliest form; null when the document likely fills none of them.
    form_id: Option<String>,
    /// The probability of this, 0 to 1.
    probability: f64,
    /// Every form, the likeliest first.
    candidates: Vec<CandidateRecord>,
    /// The probability that the document fills none of the forms; with those of the candidates it adds up to 1.
    none: f64,
}

/// A form that a document may fill.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FormCandidate")]
struct CandidateRecord {
    form_id: String,
    title: String,
    /// 0 to 1.
    probability: f64,
    /// Texts of the document that tell it: titles, then labels of the form's fields.
    evidence: Vec<QuoteRecord>,
}

/// A text of a document.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "DocumentQuote")]
struct QuoteRecord {
    quote: String,
    /// Page from 1; null where the format has no pages.
    page: Option<u32>,
    /// First character in the text of the whole document.
    start: usize,
    /// After the last character.
    end: usize,
}

/// Reads the documents of a call in their order, some at a time.
///
/// # Errors
/// 400 when there are none or too many.
pub(super) fn read_all(
    state: &AppState,
    scope: &Scope,
    documents: Vec<DocumentBody>,
) -> Result<BoxStream<'static, IntakeDocument>, ApiError> {
    let (urls, pages): (Vec<String>, Vec<Option<PageRanges>>) =
        documents.into_iter().map(|document| (document.url.0, document.pages)).unzip();
    let inputs = Inputs::references(urls).map_err(|error| {
        let rule = error.to_string().replace("urls", "documents");
        ApiError::invalid("/documents", rule)
    })?;
    let read = state.utilities.each(scope, inputs, |input| input);
    let workers = Arc::clone(&state.workers);
    let viewed = read.zip(stream::iter(pages)).then(move |(input, pages): (ReadInput, _)| {
        let (workers, url, wanted) = (Arc::clone(&workers), input.url, pages.clone());
        async move {
            let read = match input.read {
                Ok(read) => {
                    let view =
                        offload(workers.as_ref(), move || DocumentView::of(&read, wanted.as_ref())).await;
                    view.unwrap_or_else(|| Err(unavailable()))
                }
                Err(error) => Err(error),
            };
            IntakeDocument { url, pages, read }
        }
    });
    Ok(viewed.boxed())
}

fn unavailable() -> ItemError {
    let message = "the document was read, but its pages could not be looked at".to_owned();
    ItemError { code: "internal", message, cause: None }
}

impl DocumentView {
    fn of(read: &ReadDocument, pages: Option<&PageRanges>) -> Result<Self, ItemError> {
        let part = match pages.map(|pages| read.document.pages_part(pages)).transpose() {
            Ok(part) => part.flatten(),
            Err(error) => {
                return Err(ItemError { code: error.code(), message: error.to_string(), cause: None });
            }
        };
        let (document, ranges) = match part {
            Some(DocumentPart { document, ranges, .. }) => (Arc::new(document), ranges),
            None => (Arc::clone(&read.document), Vec::new()),
        };
        let hash = content_hash(&document, &read.origin.sha256, pages);
        Ok(Self { document, ranges, hash })
    }

    /// Some pages of it; `None` where they have no text.
    pub(super) fn part(&self, pages: &PageRanges) -> Option<Self> {
        Some(match self.document.pages_part(pages) {
            Ok(Some(part)) => {
                let outer = |range: &Range<usize>| match self.ranges.is_empty() {
                    true => range.clone(),
                    false => {
                        DocumentPart::offset_in_whole(&self.ranges, range.start)
                            ..DocumentPart::offset_in_whole(&self.ranges, range.end.saturating_sub(1)) + 1
                    }
                };
                let ranges = part.ranges.iter().map(outer).collect();
                Self { document: Arc::new(part.document), ranges, hash: self.hash }
            }
            // All its pages.
            Ok(None) => {
                Self { document: Arc::clone(&self.document), ranges: self.ranges.clone(), hash: self.hash }
            }
            Err(_) => return None,
        })
    }
}

impl Classifier {
    /// The classifier of a call, with the caller's forms.
    ///
    /// # Errors
    /// 400 for a wrong number of forms or an unknown model, 404 for an unknown form, 503 for a model that cannot be
    /// called.
    pub(super) async fn load(
        state: &AppState,
        payer: CallerContext,
        mut ids: Vec<String>,
        model: Option<&str>,
    ) -> Result<Self, ApiError> {
        if !(1..=MAX_FORMS).contains(&ids.len()) {
            return Err(ApiError::invalid("/forms", format!("'forms' must have 1 to {MAX_FORMS} entries")));
        }
        let model = model.map(|id| state.agents.model(id)).transpose()?;
        let mut forms = Vec::new();
        let mut seen = std::collections::HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        for id in ids {
            let form = state.forms.get(&payer.scope, &id).await.map_err(|error| unknown_form(error, &id))?;
            forms.push(FormProfile::of(&form));
        }
        // The built-in model has no other means than the rules.
        let model = model.filter(|model| !model.is_extractive());
        if let Some(model) = &model {
            state.generation.check_ready(model)?;
        }
        let calls = AtomicUsize::new(0);
        Ok(Self { state: state.clone(), payer, forms: forms.into(), model, calls })
    }

    /// Classifies a document.
    ///
    /// # Errors
    /// When the model fails.
    pub(super) async fn classify(&self, view: &DocumentView) -> Result<ClassificationRecord, ApiError> {
        let (document, forms) = (Arc::clone(&view.document), Arc::clone(&self.forms));
        let ranked = offload(self.state.workers.as_ref(), move || rank(&document, &forms)).await;
        let failed = "the document could not be compared with the forms";
        let mut ranking = ranked.ok_or_else(|| ApiError::new(ErrorKind::Internal, "internal", failed))?;
        if let Some(model) = &self.model
            && self.calls.fetch_add(1, Ordering::Relaxed) < MAX_MODEL_CALLS
        {
            let generation = &self.state.generation;
            let asked = ask_model(generation, &self.payer, model, &view.document, &self.forms).await?;
            if let Some(choice) = asked {
                ranking = combine(ranking, &choice);
            }
        }
        Ok(self.record(ranking, view))
    }

    fn record(&self, ranking: Ranking, view: &DocumentView) -> ClassificationRecord {
        let best = ranking.best().map(|best| (best.form_id.clone(), best.probability));
        let probability = best.as_ref().map_or(ranking.none, |(_, probability)| *probability);
        let title = |id: &str| {
            let form = self.forms.iter().find(|form| form.id == id);
            form.map(|form| form.title.clone()).unwrap_or_default()
        };
        let candidates = ranking.forms.into_iter().map(|form| CandidateRecord {
            title: title(&form.form_id),
            form_id: form.form_id,
            probability: rounded(form.probability),
            evidence: form.evidence.into_iter().map(|quote| QuoteRecord::of(quote, &view.ranges)).collect(),
        });
        ClassificationRecord {
            form_id: best.map(|(id, _)| id),
            probability: rounded(probability),
            candidates: candidates.collect(),
            none: rounded(ranking.none),
        }
    }
}

impl QuoteRecord {
    fn of(quote: Quote, ranges: &[Range<usize>]) -> Self {
        let Quote { text, page, start, end } = quote;
        let is_part = !ranges.is_empty() && start < end;
        let (start, end) = match is_part {
            true => (
                DocumentPart::offset_in_whole(ranges, start),
                DocumentPart::offset_in_whole(ranges, end - 1) + 1,
            ),
            false => (start, end),
        };
        Self { quote: text, page, start, end }
    }
}

/// Four decimals; more say nothing.
pub(super) fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

fn unknown_form(error: FormsError, id: &str) -> ApiError {
    match error {
        FormsError::NotFound => {
            let message = format!("there is no form '{id}'");
            ApiError::new(ErrorKind::NotFound, FormsError::NotFound.code(), message)
        }
        other => other.into(),
    }
}
