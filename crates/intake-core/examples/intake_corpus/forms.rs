//! Classification of documents to forms: the documents of the bundles, and the samples of the gallery.

use document::Document;
use forms_core::{FormVersion, VersionState};
use intake_core::{FORM_SIGNAL_NAMES, FormProfile, observe_forms, rank};
use language::form_kinds::kinds_named;
use rules_engine::schema::{template, template_ids, template_languages};
use shared_core::Timestamp;

use crate::bundles::{Bundle, Half};
use crate::learning::softmax;

/// Forms that the documents of the bundles are compared with: those that they fill, and others of business.
const BUSINESS: [&str; 8] = [
    "invoice",
    "receipt",
    "purchase_order",
    "delivery_note",
    "bank_statement",
    "contract",
    "resume",
    "insurance_claim",
];
/// Languages whose samples weights are learned from; those of the others are held out.
const OPEN_LANGUAGES: [&str; 5] = ["en", "de", "fr", "es", "nl"];

/// Weights chosen by hand, which learning begins with and is drawn to.
const PRIOR: [f64; FORM_SIGNAL_NAMES.len()] = [-2.5, 3.0, 4.0, 2.0, 1.0, 2.0, 2.0, -2.0];

/// A document with the id of its form, if it has one.
struct Case {
    name: String,
    document: Document,
    form: Option<String>,
    /// Whether it is a receipt with the title of an invoice, as in "TAX INVOICE": which of the two forms it fills is a
    /// matter of opinion.
    is_ambiguous: bool,
}

fn form(kind: &str) -> Option<FormProfile> {
    let template = template(kind, "en")?;
    let created = Timestamp::from_micros(0)?;
    Some(FormProfile::of_version(&FormVersion {
        form_id: kind.to_owned(),
        version: 1,
        state: VersionState::Published,
        title: template.title,
        schema: template.schema,
        examples: Vec::new(),
        created,
    }))
}

/// The documents of the bundles of a half.
fn bundled(bundles: &[Bundle], half: Half) -> Vec<Case> {
    let mut cases = Vec::new();
    for bundle in bundles.iter().filter(|bundle| bundle.half == half) {
        for part in &bundle.parts {
            let pages = document::PageRanges::of(part.first, part.last).expect("pages of a part");
            let document = match bundle.document.pages_part(&pages) {
                Ok(Some(part)) => part.document,
                Ok(None) => bundle.document.clone(),
                Err(error) => panic!("{}: {error}", bundle.file),
            };
            let form = Some(part.kind.clone()).filter(|kind| kind != "other");
            let mut lines = document.text.lines().filter(|line| line.split_whitespace().count() <= 6);
            let is_ambiguous =
                part.kind == "receipt" && lines.any(|line| kinds_named(line).contains(&"invoice"));
            cases.push(Case { name: format!("{} {pages}", bundle.file), document, form, is_ambiguous });
        }
    }
    cases
}

/// The samples of the gallery in the languages of a half.
fn samples(half: Half) -> Vec<Case> {
    let languages = template_languages().filter(|code| OPEN_LANGUAGES.contains(code) == (half == Half::Open));
    let all = languages.flat_map(|code| {
        template_ids(code).into_iter().filter_map(move |id| {
            let document = Document { text: template(id, code)?.sample, ..Document::default() };
            Some(Case {
                name: format!("{code} {id}"),
                document,
                form: Some(id.to_owned()),
                is_ambiguous: false,
            })
        })
    });
    all.collect()
}

fn forms_of(ids: impl IntoIterator<Item = &'static str>) -> Vec<FormProfile> {
    ids.into_iter().filter_map(form).collect()
}

/// Prints the accuracy on a half.
pub(crate) fn measure(bundles: &[Bundle], half: Half, verbose: bool) {
    let shown = verbose && half == Half::Open;
    tally("documents of bundles", &bundled(bundles, half), &forms_of(BUSINESS), half, shown);
    tally("samples of the gallery", &samples(half), &forms_of(template_ids("en")), half, shown);
}

fn tally(kind: &str, cases: &[Case], forms: &[FormProfile], half: Half, verbose: bool) {
    let (mut right, mut told, mut told_right, mut none, mut none_right) = (0, 0, 0, 0, 0);
    let (mut clear, mut clear_right) = (0, 0);
    let began = std::time::Instant::now();
    for case in cases {
        let ranking = rank(&case.document, forms);
        let best = ranking.best().map(|form| form.form_id.clone());
        right += usize::from(best == case.form);
        clear += usize::from(!case.is_ambiguous);
        clear_right += usize::from(!case.is_ambiguous && best == case.form);
        told += usize::from(best.is_some());
        told_right += usize::from(best.is_some() && best == case.form);
        none += usize::from(case.form.is_none());
        none_right += usize::from(case.form.is_none() && best.is_none());
        if verbose && best != case.form && !case.is_ambiguous {
            println!("{}: {best:?} instead of {:?}, none {:.2}", case.name, case.form, ranking.none);
        }
    }
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    println!(
        "{kind}, {half:?} half: {} documents, {} forms, {:.2} ms each",
        cases.len(),
        forms.len(),
        began.elapsed().as_secs_f64() * 1_000.0 / cases.len().max(1) as f64
    );
    println!(
        "  accuracy {:.3}  precision of the told form {:.3}  recall {:.3}  none told of {none_right} of {none}\n  \
         accuracy without receipts with the title of an invoice {:.3} of {clear}\n",
        share(right, cases.len()),
        share(told_right, told),
        share(told_right, cases.len() - none),
        share(clear_right, clear)
    );
}

/// Prints weights learned from the open half.
pub(crate) fn learn(bundles: &[Bundle]) {
    let mut examples = Vec::new();
    for (cases, forms) in [
        (bundled(bundles, Half::Open), forms_of(BUSINESS)),
        (samples(Half::Open), forms_of(template_ids("en"))),
    ] {
        for case in cases {
            let right = forms.iter().position(|form| Some(&form.id) == case.form.as_ref());
            let signals = observe_forms(&case.document, &forms).into_iter().map(|one| one.to_vec());
            examples.push((right, signals.collect()));
        }
    }
    println!("\nweights of forms, from {} documents:", examples.len());
    for (name, weight) in FORM_SIGNAL_NAMES.iter().zip(softmax(&examples, &PRIOR)) {
        println!("    {weight:.2}, // {name}");
    }
}
