//! Makes the groups of a run from what the caller sent: divides documents, and finds the form of each part.

use std::sync::Arc;

use document::{Document, DocumentPart, PageRanges, ReadDocument, ReadError};
use futures_util::{StreamExt as _, stream};
use gen_core::{CallerContext, Cost};
use intake_core::{AskedModel, FormClassifier, FormProfile, question_length};
use shared_core::{DomainError as _, Violation, offload};

use crate::classification::{Classification, DocumentClass, LeftOutDocument, RunForm};
use crate::group::is_retryable;
use crate::rules::violations;
use crate::{DeltaError, DocumentRef, RunService, RunTarget};

/// Documents that are read concurrently; as the worker reads those of a group.
const READ_CONCURRENCY: usize = 4;
/// The probability that the form of a document must have, where the caller names none. The form is then likelier than
/// all others and than none together.
pub const DEFAULT_THRESHOLD: f64 = 0.5;

/// How the groups of a run are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpandOptions {
    /// What gives one record; when `None`, a group, or with classification a part of a document.
    pub target: Option<RunTarget>,
    /// Whether documents are classified to the agent's forms; when `None`, if the agent has several.
    pub classify: Option<bool>,
    /// The probability that the form of a document must have, 0 to 1; [`DEFAULT_THRESHOLD`] when `None`.
    pub threshold: Option<f64>,
    /// `model@provider`; the agent's when `None`.
    pub model_id: Option<String>,
    /// The budget of the run, which pays the questions to a model. Once it is used up, documents are classified by rules.
    pub budget: Option<Cost>,
    /// Whether no model is asked, for an estimate.
    pub estimate: bool,
}

/// The groups of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expansion {
    /// The groups. With a classification they may be none.
    pub groups: Vec<Vec<DocumentRef>>,
    /// What became of the classification; `None` without one.
    pub classification: Option<Classification>,
    /// Whether they are parts of what the caller sent.
    pub is_divided: bool,
    /// Questions to a model that the estimate left out, and their characters.
    pub questions: (u64, u64),
}

impl From<Vec<Vec<DocumentRef>>> for Expansion {
    fn from(groups: Vec<Vec<DocumentRef>>) -> Self {
        Self { groups, ..Self::default() }
    }
}

/// The classifier of a run.
struct RunClassifier {
    classifier: FormClassifier,
    forms: Vec<RunForm>,
    threshold: f64,
    /// Whether a model is to be asked that the estimate does not ask.
    counts_questions: bool,
}

/// A document of the request by its place.
struct RequestDocument {
    group: u32,
    index: u32,
    document: DocumentRef,
}

/// A part of a document: in a group, or in none.
enum Part {
    Group(DocumentRef, u64),
    LeftOut(Box<LeftOutDocument>),
}

impl RunService {
    /// The groups of a run, in the order of the documents. Documents are read where they are divided or classified; one
    /// that cannot be read is a group of its own, whose outcome tells why.
    ///
    /// # Errors
    /// When the agent is unknown or has no form to classify to, an option or the groups break a rule, there are more groups
    /// than a run may have, a document cannot be read now, the model fails, or the store fails.
    pub async fn expand(
        &self,
        payer: &CallerContext,
        namespace: &str,
        groups: Vec<Vec<DocumentRef>>,
        how: &ExpandOptions,
    ) -> Result<Expansion, DeltaError> {
        let agent = self.ports.agents.get(&payer.scope, namespace).await?;
        let classify = how.classify.unwrap_or(!agent.forms.is_empty());
        let default = if classify { RunTarget::Part } else { RunTarget::Group };
        let target = how.target.unwrap_or(default);
        check_options(how, classify, target)?;
        if target == RunTarget::Group {
            return Ok(groups.into());
        }
        let found = violations(&groups, &self.limits);
        if !found.is_empty() {
            return Err(DeltaError::Invalid(found));
        }
        let classifier = match classify {
            true => Some(self.classifier(payer, &agent, how).await?),
            false => None,
        };
        let sent = sent(groups);
        self.check_count(sent.len(), target)?;
        let mut expansion = Expansion { is_divided: true, ..Expansion::default() };
        if !target.reads() && classifier.is_none() {
            expansion.groups = sent.into_iter().map(|one| vec![one.document]).collect();
            return Ok(expansion);
        }
        let mut classification = Classification::default();
        let classifier = classifier.as_ref();
        let read = sent.into_iter().map(|one| self.divide(payer, one, target, classifier));
        // Collected, since a closure over references that lives across an await is not `Send`.
        let read: Vec<_> = read.collect();
        let mut all = stream::iter(read).buffered(READ_CONCURRENCY);
        while let Some(parts) = all.next().await {
            for part in parts? {
                match part {
                    Part::Group(document, question) => {
                        expansion.groups.push(vec![document]);
                        expansion.questions.0 += u64::from(question > 0);
                        expansion.questions.1 += question;
                    }
                    Part::LeftOut(one) => classification.leave_out(*one),
                }
            }
            // Before further documents are read.
            let left_out = usize::try_from(classification.left_out_count()).unwrap_or(usize::MAX);
            self.check_count(expansion.groups.len().saturating_add(left_out), target)?;
        }
        drop(all);
        if let Some(classifier) = classifier {
            classification.forms = classifier.forms.clone();
            classification.spent = classifier.classifier.spent();
            expansion.classification = Some(classification);
        }
        Ok(expansion)
    }

    async fn classifier(
        &self,
        payer: &CallerContext,
        agent: &agents_core::Agent,
        how: &ExpandOptions,
    ) -> Result<RunClassifier, DeltaError> {
        let (mut profiles, mut forms) = (Vec::new(), Vec::new());
        for form in agent.all_forms() {
            let version = self.ports.forms.resolve(&payer.scope, &form.form_id, form.form_version).await?;
            profiles.push(FormProfile::of_version(&version));
            forms.push(RunForm { form_id: version.form_id, form_version: version.version });
        }
        if forms.is_empty() {
            return Err(DeltaError::AgentWithoutForm);
        }
        let model = match &how.model_id {
            Some(id) => self.ports.agents.model(id)?,
            None => self.ports.agents.model_of(agent)?,
        };
        // The built-in model has no other means than the rules.
        let is_asked = !model.is_extractive();
        if is_asked {
            self.ports.generation.check_ready(&model)?;
            self.check_price(&model, how.budget)?;
        }
        let asked = (is_asked && !how.estimate).then(|| AskedModel {
            generation: self.ports.generation.clone(),
            payer: payer.clone(),
            model,
            budget: how.budget,
        });
        Ok(RunClassifier {
            classifier: FormClassifier::new(profiles, asked, Arc::clone(&self.ports.workers)),
            forms,
            threshold: how.threshold.unwrap_or(DEFAULT_THRESHOLD),
            counts_questions: is_asked && how.estimate,
        })
    }

    /// The parts of a document, each with its form where there is a classifier.
    async fn divide(
        &self,
        payer: &CallerContext,
        sent: RequestDocument,
        target: RunTarget,
        classifier: Option<&RunClassifier>,
    ) -> Result<Vec<Part>, DeltaError> {
        let read = match self.ports.documents.read(&payer.scope, &sent.document.url).await {
            Ok(read) => read,
            Err(ReadError::Store(error)) => return Err(DeltaError::Store(error)),
            Err(ReadError::Unusable { code, .. }) if !is_retryable(code) => {
                return Ok(vec![Part::Group(sent.document, 0)]);
            }
            // Left whole, it would be one record where there are to be several.
            Err(ReadError::Unusable { code, message } | ReadError::Transient { code, message, .. }) => {
                return Err(DeltaError::DocumentUnavailable { document: sent.document.url, code, message });
            }
        };
        let (document, shared) = (sent.document.clone(), Arc::clone(&read.document));
        let divided = offload(self.ports.workers.as_ref(), move || target.divide(&document, &shared)).await;
        let (parts, blank) = divided.ok_or_else(|| given_up(&sent.document))?;
        let Some(classifier) = classifier else {
            return Ok(parts.into_iter().map(|part| Part::Group(part, 0)).collect());
        };
        let mut found = Vec::new();
        for part in parts {
            found.push(classifier.place(&sent, part, &read).await?);
        }
        if let Some(pages) = blank {
            let (code, message) = ("pages_without_content", "the pages have no content");
            found.push(sent.left_out(Some(pages), code, message.to_owned(), None));
        }
        Ok(found)
    }

    fn check_count(&self, count: usize, target: RunTarget) -> Result<(), DeltaError> {
        if count <= self.limits.groups {
            return Ok(());
        }
        let (target, most) = (target.name(), self.limits.groups);
        let rule = format!("a run may have at most {most} groups, and each {target} is one");
        Err(DeltaError::Invalid(vec![Violation::new("", rule)]))
    }
}

impl RunClassifier {
    /// Finds the form of a part, or leaves it out.
    async fn place(
        &self,
        sent: &RequestDocument,
        part: DocumentRef,
        read: &ReadDocument,
    ) -> Result<Part, DeltaError> {
        let (document, ranges) = match read.document.selection(part.pages.as_ref(), part.unit) {
            Ok(Some(DocumentPart { document, ranges, .. })) => (Arc::new(document), ranges),
            Ok(None) => (Arc::clone(&read.document), Vec::new()),
            // As the caller named it: its group tells why it cannot be read.
            Err(_) if part == sent.document => return Ok(Part::Group(part, 0)),
            Err(error) => return Ok(sent.left_out(part.pages, error.code(), error.to_string(), None)),
        };
        let ranking = self.classifier.classify(&document).await?;
        let ranking = ranking.ok_or_else(|| given_up(&part))?;
        let Some(best) = ranking.best() else {
            let message = "the document fills none of the forms".to_owned();
            return Ok(sent.left_out(part.pages, "no_form_fits", message, Some((None, ranking.none))));
        };
        let probability = rounded(best.probability);
        if best.probability < self.threshold {
            let message = format!("the form of the document is uncertain: {probability}");
            let told = Some((Some(best.form_id.clone()), best.probability));
            return Ok(sent.left_out(part.pages, "form_uncertain", message, told));
        }
        let form = self.forms.iter().find(|form| form.form_id == best.form_id);
        let class = form.map(|form| DocumentClass {
            form: form.clone(),
            probability,
            evidence: best.evidence.iter().map(|quote| quote.clone().in_whole(&ranges)).collect(),
        });
        let question = self.question(&document);
        Ok(Part::Group(DocumentRef { class: class.map(Box::new), ..part }, question))
    }

    fn question(&self, document: &Document) -> u64 {
        if self.counts_questions { question_length(document, self.classifier.forms()) } else { 0 }
    }
}

impl RequestDocument {
    fn left_out(
        &self,
        pages: Option<PageRanges>,
        code: &str,
        message: String,
        told: Option<(Option<String>, f64)>,
    ) -> Part {
        let (form_id, probability) = told.unzip();
        Part::LeftOut(Box::new(LeftOutDocument {
            group: self.group,
            index: self.index,
            url: self.document.url.clone(),
            pages,
            code: code.to_owned(),
            message,
            form_id: form_id.flatten(),
            probability: probability.map(rounded),
        }))
    }
}

fn sent(groups: Vec<Vec<DocumentRef>>) -> Vec<RequestDocument> {
    let of_group = |(group, documents): (u32, Vec<DocumentRef>)| {
        (0..).zip(documents).map(move |(index, document)| RequestDocument { group, index, document })
    };
    (0..).zip(groups).flat_map(of_group).collect()
}

fn check_options(how: &ExpandOptions, classify: bool, target: RunTarget) -> Result<(), DeltaError> {
    let mut found = Vec::new();
    if classify && !matches!(target, RunTarget::Part | RunTarget::Page | RunTarget::Document) {
        let rule = "with classification, 'target' must be part, page or document";
        found.push(Violation::new("?target", rule));
    }
    if how.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        found.push(Violation::new("?threshold", "'threshold' must be a number from 0 to 1"));
    }
    if how.threshold.is_some() && !classify {
        found.push(Violation::new("?threshold", "'threshold' needs 'classify'"));
    }
    if found.is_empty() { Ok(()) } else { Err(DeltaError::InvalidSettings(found)) }
}

/// Four decimals; more say nothing.
fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

fn given_up(document: &DocumentRef) -> DeltaError {
    DeltaError::DocumentUnavailable {
        document: document.url.clone(),
        code: "parser_unavailable",
        message: "the document was not divided".to_owned(),
    }
}
