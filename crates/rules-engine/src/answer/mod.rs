//! Question answering: answers from the documents of a request in their own
//! sentences, summarises them, and says so if they do not contain the answer.
//!
//! The nth [`Part::Document`] of a request is cited as `[n]`. Text parts are never searched.

mod answer_match;
mod answerability;
mod choice;
mod rank;
mod summary;
#[cfg(test)]
mod training;
mod units;
mod weights;

use std::sync::Arc;

use futures_util::stream;
use gen_core::text::{
    AnswerType, Intent, Query, depends_on_previous, detect_answer_type, find_missing_parts, focus, intent,
    is_question,
};
use gen_core::{
    ChatAnswer, ChatEvent, ChatEvents, ChatRequest, Finish, NOTHING_FOUND_RULE, Part, ProviderError, Role,
    Usage, estimate_tokens as estimate, prefix_of_tokens,
};
use language::Language;
use language::detect::detect;
use language::reply::reply;

use answerability::{QuestionNeeds, Signals, least, probability, signals};
use units::{Unit, UnitIndex, UnitKind};

/// Maximum bytes of all documents; the rest is skipped. It bounds the time: eight million take 0.27 s
/// (docs/benchmarks/generation.md).
const MAX_BYTES: usize = 24_000_000;
/// Maximum characters of a prompt. Bounds the time.
const MAX_PROMPT: usize = 8_000;
/// Weight of a term carried over from the previous question. Equal to `answer::LIGHT`, so that it is no
/// reason to quote more. Chosen by hand; no measurement is recorded.
const CARRIED: f32 = 0.45;

/// An answer in consecutive pieces.
struct DraftAnswer {
    pieces: Vec<String>,
    input: usize,
    warnings: Vec<String>,
}

/// Answers a request without a schema.
///
/// # Errors
/// [`gen_core::Fault::Unsupported`] for a request of images or speech.
pub(crate) fn answer_question(request: &ChatRequest) -> Result<ChatAnswer, ProviderError> {
    let draft = draft(request)?;
    let (pieces, finish, usage) = limit_tokens(draft.pieces, draft.input, request.max_tokens);
    Ok(ChatAnswer { text: pieces.concat(), finish, usage, warnings: draft.warnings, ..ChatAnswer::default() })
}

/// As [`answer_question`], streamed by sentence.
pub(crate) fn answer_events(request: &ChatRequest) -> Result<ChatEvents, ProviderError> {
    let draft = draft(request)?;
    let (pieces, finish, usage) = limit_tokens(draft.pieces, draft.input, request.max_tokens);
    let texts = pieces.into_iter().map(ChatEvent::Text);
    let end = ChatEvent::End { finish, usage, warnings: draft.warnings };
    Ok(Box::pin(stream::iter(texts.chain([end]).map(Ok).collect::<Vec<_>>())))
}

/// Whole pieces up to the limit; of the first one, as much as fits.
fn limit_tokens(pieces: Vec<String>, input: usize, max_tokens: Option<u32>) -> (Vec<String>, Finish, Usage) {
    let limit = max_tokens.map_or(usize::MAX, |tokens| tokens as usize);
    let (mut kept, mut output, mut finish) = (Vec::new(), 0, Finish::Stop);
    for piece in pieces {
        let tokens = estimate(&piece);
        if output + tokens > limit {
            finish = Finish::Length;
            if kept.is_empty() {
                let head = prefix_of_tokens(&piece, limit).to_owned();
                output = estimate(&head);
                kept.extend(Some(head).filter(|head| !head.is_empty()));
            }
            break;
        }
        output += tokens;
        kept.push(piece);
    }
    let usage = Usage { input_tokens: input as u64, output_tokens: output as u64, ..Usage::default() };
    (kept, finish, usage)
}

/// The parsed documents of a request.
struct ReadDocuments {
    reading: UnitIndex,
    /// Estimated tokens that were read.
    tokens: usize,
    /// Whether everything was read.
    whole: bool,
}

fn read(request: &ChatRequest) -> ReadDocuments {
    let mut read = ReadDocuments { reading: UnitIndex::default(), tokens: 0, whole: true };
    let mut room = MAX_BYTES;
    for part in request.messages.iter().flat_map(|message| &message.parts) {
        if let Part::Document { name, text, .. } = part {
            let text = prefix_of_bytes(text, room);
            room -= text.len();
            read.whole &= room > 0;
            read.tokens += estimate(&text);
            read.reading.add(name, &text);
        }
    }
    read
}

/// The probability that the answer to a question is correct, 0 to 1; `None` without documents, or if the
/// prompt is not a question.
pub(crate) fn answer_probability(request: &ChatRequest) -> Option<f64> {
    let (prompt, earlier) = prompts(request);
    let reading = read(request).reading;
    if reading.sources.is_empty() || !matches!(intent(&prompt), Intent::Answer) {
        return None;
    }
    let language = language_of(&prompt, &reading);
    let considered = consider(&reading, &prompt, earlier.as_deref(), language);
    Some(considered.map_or(0.0, |considered| f64::from(probability(&considered.signals))))
}

/// The language of a prompt, else of the first document.
fn language_of(prompt: &str, reading: &UnitIndex) -> Language {
    let own = detect(prompt);
    let of_first = || reading.sources.first().map(|source| source.language).unwrap_or_default();
    if own == Language::UNKNOWN { of_first() } else { own }
}

fn draft(request: &ChatRequest) -> Result<DraftAnswer, ProviderError> {
    let (prompt, earlier) = prompts(request);
    let intent = intent(&prompt);
    refuse(intent)?;
    let ReadDocuments { reading, tokens, whole } = read(request);
    let input = estimate(&prompt) + tokens;
    let cut = "the documents exceed the maximum size; their end was ignored";
    let warnings = if whole { Vec::new() } else { vec![cut.to_owned()] };
    let language = language_of(&prompt, &reading);
    let nothing = || request.system.as_deref().is_some_and(|system| system.ends_with(NOTHING_FOUND_RULE));
    let pieces = if reading.sources.is_empty() && nothing() {
        vec![reply(language, "no-statement", &[])]
    } else if reading.sources.is_empty() {
        vec![reply(language, "no-documents", &[])]
    } else if let Intent::Summary { sentences, list } = intent {
        summarise(&reading, &prompt, sentences, list, language)
    } else {
        find(&reading, &prompt, earlier.as_deref(), language)
    };
    Ok(DraftAnswer { pieces, input, warnings })
}

fn refuse(intent: Intent) -> Result<(), ProviderError> {
    match intent {
        Intent::Image => {
            Err(ProviderError::unsupported("extractive@formwork makes no images; it answers in text"))
        }
        Intent::Speech => {
            Err(ProviderError::unsupported("extractive@formwork makes no speech; it answers in text"))
        }
        Intent::Answer | Intent::Summary { .. } => Ok(()),
    }
}

/// The prefix of a text of at most `room` bytes.
fn prefix_of_bytes(text: &Arc<str>, room: usize) -> Arc<str> {
    if text.len() <= room {
        return text.clone();
    }
    let mut end = room;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Arc::from(text.get(..end).unwrap_or_default())
}

/// The user's last message, and the previous one that is not blank.
fn prompts(request: &ChatRequest) -> (String, Option<String>) {
    let mut said =
        request.messages.iter().rev().filter(|message| message.role == Role::User).map(|message| {
            let texts = message.parts.iter().filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                _ => None,
            });
            let text = texts.collect::<Vec<_>>().join("\n");
            text.chars().take(MAX_PROMPT).collect::<String>()
        });
    (said.next().unwrap_or_default(), said.find(|text| !text.trim().is_empty()))
}

fn summarise(
    reading: &UnitIndex,
    prompt: &str,
    sentences: Option<usize>,
    list: bool,
    language: Language,
) -> Vec<String> {
    let chosen = summary::choose(reading, &focus(prompt), sentences);
    if chosen.is_empty() {
        return vec![reply(language, "no-text", &[])];
    }
    quote(reading, &chosen, list)
}

fn find(reading: &UnitIndex, prompt: &str, earlier: Option<&str>, language: Language) -> Vec<String> {
    match consider(reading, prompt, earlier, language) {
        Some(AnswerCandidate { chosen, signals, .. }) if probability(&signals) >= least(language) => {
            quote(reading, &chosen, false)
        }
        _ => vec![reply(language, "no-statement", &[])],
    }
}

/// A possible answer.
struct AnswerCandidate {
    /// The units to quote; not empty.
    chosen: Vec<usize>,
    signals: Signals,
}

/// The best unit to answer from, however weak; `None` without any.
fn consider(
    reading: &UnitIndex,
    prompt: &str,
    earlier: Option<&str>,
    language: Language,
) -> Option<AnswerCandidate> {
    let mut query = Query::new(prompt, language);
    if let Some(earlier) = earlier.filter(|_| depends_on_previous(prompt, &query)) {
        query.add(earlier, CARRIED);
    }
    if query.is_empty() {
        return None;
    }
    let wanted = answer_type_of(prompt);
    let ranking = rank::rank(reading, &query, wanted);
    let (best, accepted) = choice::candidate(reading, &ranking, wanted)?;
    let chosen = choice::choose(reading, &ranking, wanted, best);
    let asked = QuestionNeeds { answer_type: wanted, missing_parts: find_missing_parts(prompt, language) };
    let signals = signals(reading, &ranking, &query, asked, best, accepted);
    Some(AnswerCandidate { chosen, signals }).filter(|considered| !considered.chosen.is_empty())
}

/// The answer type of the last question of a prompt.
fn answer_type_of(prompt: &str) -> AnswerType {
    if is_question(prompt) { detect_answer_type(prompt) } else { AnswerType::Any }
}

/// The units as quotes, each with the number of its document.
fn quote(reading: &UnitIndex, chosen: &[usize], list: bool) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut listed_before = false;
    for unit in chosen.iter().filter_map(|at| reading.units.get(*at)) {
        let listed = list || is_listed(unit) && chosen.len() > 1;
        let lead = match (pieces.is_empty(), listed, listed_before) {
            (true, true, _) => "- ",
            (true, false, _) => "",
            (false, true, true) => "\n- ",
            (false, true, false) => "\n\n- ",
            (false, false, true) => "\n\n",
            (false, false, false) => " ",
        };
        listed_before = listed;
        pieces.push(format!("{lead}{} [{}]", escape_citations(&reading.quote(unit)), unit.document + 1));
    }
    pieces
}

fn is_listed(unit: &Unit) -> bool {
    matches!(unit.kind, UnitKind::Item | UnitKind::Row)
}

/// Escapes the text's own numbers in brackets, so that they are not mistaken for citations.
fn escape_citations(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if c == '['
            && digits > 0
            && rest.get(digits..).is_some_and(|rest| rest.starts_with(']'))
            && !safe.ends_with('\\')
        {
            safe.push('\\');
        }
        safe.push(c);
    }
    safe
}
