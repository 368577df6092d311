//! What the classifier and the splitter share: the documents of a call, the forms, and what is told of a document.

use std::ops::Range;
use std::sync::Arc;

use document::{Document, DocumentPart, PageRanges, ReadDocument};
use forms_core::FormsError;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use gen_core::CallerContext;
use intake_core::{AskedModel, FormClassifier, FormProfile, Quote, Ranking, content_hash};
use schemars::JsonSchema;
use serde::Serialize;
use shared_core::{DomainError as _, ErrorKind, Scope, offload};
use utilities_core::{Inputs, ItemError, ReadInput};

use crate::app::AppState;
use crate::http::ApiError;

/// Forms of one call at most. Bounds the time: every form is compared with every label of a document. Chosen by hand.
pub(super) const MAX_FORMS: usize = 50;

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

/// The forms of a call.
pub(super) struct Classifier(FormClassifier);

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
pub(super) fn read_all(
    state: &AppState,
    scope: &Scope,
    inputs: Inputs,
    pages: Vec<Option<PageRanges>>,
) -> BoxStream<'static, IntakeDocument> {
    let read = state.utilities.each(scope, inputs, |input| input);
    let workers = Arc::clone(&state.workers);
    let viewed = read.zip(stream::iter(pages).chain(stream::repeat(None))).then(
        move |(input, pages): (ReadInput, _)| {
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
        },
    );
    viewed.boxed()
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
        let (document, ranges) = match self.document.pages_part(pages) {
            Ok(Some(part)) => {
                let ranges = match self.ranges.is_empty() {
                    true => part.ranges,
                    false => DocumentPart::ranges_in_whole(&self.ranges, &part.ranges),
                };
                (Arc::new(part.document), ranges)
            }
            // All its pages.
            Ok(None) => (Arc::clone(&self.document), self.ranges.clone()),
            Err(_) => return None,
        };
        Some(Self { document, ranges, hash: self.hash })
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
        place: &str,
    ) -> Result<Self, ApiError> {
        if !(1..=MAX_FORMS).contains(&ids.len()) {
            let rule = format!("'forms' must have 1 to {MAX_FORMS} entries");
            return Err(ApiError::invalid(format!("{place}forms"), rule));
        }
        let model = model.map(|id| state.agents.model(id)).transpose()?;
        let mut forms = Vec::new();
        let mut seen = std::collections::HashSet::new();
        ids.retain(|id| seen.insert(id.clone()));
        for id in ids {
            let form = state.forms.get(&payer.scope, &id).await.map_err(|error| unknown_form(error, &id))?;
            forms.push(FormProfile::of_version(&form.in_force()));
        }
        // The built-in model has no other means than the rules.
        let model = model.filter(|model| !model.is_extractive());
        if let Some(model) = &model {
            state.generation.check_ready(model)?;
        }
        let generation = state.generation.clone();
        let asked = model.map(|model| AskedModel { generation, payer, model, budget: None });
        Ok(Self(FormClassifier::new(forms, asked, Arc::clone(&state.workers))))
    }

    /// Classifies a document.
    ///
    /// # Errors
    /// When the model fails.
    pub(super) async fn classify(&self, view: &DocumentView) -> Result<ClassificationRecord, ApiError> {
        let ranked = self.0.classify(&view.document).await?;
        let failed = "the document could not be compared with the forms";
        let ranking = ranked.ok_or_else(|| ApiError::new(ErrorKind::Internal, "internal", failed))?;
        Ok(self.record(ranking, view))
    }

    fn record(&self, ranking: Ranking, view: &DocumentView) -> ClassificationRecord {
        let best = ranking.best().map(|best| (best.form_id.clone(), best.probability));
        let probability = best.as_ref().map_or(ranking.none, |(_, probability)| *probability);
        let title = |id: &str| {
            let form = self.0.forms().iter().find(|form| form.id == id);
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
        let Quote { text, page, start, end } = quote.in_whole(ranges);
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
