//! The shipped catalogue: models of the vendors in November 2026, from their pricing and model pages of that
//! time. Prices are in US dollars per million tokens at the standard tier. Values that the vendors do not
//! publish are missing. Writing to a prompt cache is not priced, as the usage does not report it separately.

use super::{CatalogueEntry, Price};
use crate::{EXTRACTIVE, ModelId, ModelKind, Provider};

/// A model: name, display name, maximum input and output in tokens (0: unknown), prices.
type Row = (&'static str, &'static str, u32, u32, Option<Price>);

const fn price(input: f64, output: f64) -> Price {
    Price::dollars(input, output)
}

/// OpenAI's prices. Above 272,000 input tokens, input costs twice and output one and a half times as much.
const fn openai(input: f64, cached: f64, output: f64) -> Option<Price> {
    Some(price(input, output).cached(cached).long(272_000, input * 2.0, output * 1.5))
}

const fn cached(input: f64, cached: f64, output: f64) -> Option<Price> {
    Some(price(input, output).cached(cached))
}

const OPENAI_TEXT: &[Row] = &[
    ("gpt-6.2-sol", "GPT-6.2 Sol", 1_050_000, 128_000, openai(2.0, 0.1, 10.0)),
    ("gpt-6.2-astra", "GPT-6.2 Astra", 1_050_000, 128_000, Some(price(8.0, 40.0).long(272_000, 16.0, 60.0))),
    ("gpt-6.1-sol", "GPT-6.1 Sol", 1_050_000, 128_000, openai(2.0, 0.1, 10.0)),
    ("gpt-6-sol", "GPT-6 Sol", 1_050_000, 128_000, openai(2.0, 0.2, 10.0)),
    ("gpt-6-luna", "GPT-6 Luna", 1_050_000, 128_000, openai(0.1, 0.01, 0.5)),
    ("gpt-6-astra", "GPT-6 Astra", 1_050_000, 128_000, openai(10.0, 1.0, 50.0)),
    ("gpt-5.6-sol", "GPT-5.6 Sol", 1_050_000, 128_000, openai(4.0, 0.4, 20.0)),
    ("gpt-5.6-terra", "GPT-5.6 Terra", 1_050_000, 128_000, openai(2.0, 0.2, 12.0)),
    ("gpt-5.6-luna", "GPT-5.6 Luna", 1_050_000, 128_000, openai(0.2, 0.02, 1.2)),
    ("gpt-5.5", "GPT-5.5", 0, 128_000, openai(5.0, 0.5, 30.0)),
    ("gpt-5.4", "GPT-5.4", 0, 128_000, openai(2.5, 0.25, 15.0)),
    ("gpt-5.4-nano", "GPT-5.4 nano", 400_000, 128_000, cached(0.2, 0.02, 1.25)),
    // Until 11 December 2026.
    ("gpt-5", "GPT-5", 400_000, 128_000, cached(1.25, 0.125, 10.0)),
    ("gpt-5-mini", "GPT-5 mini", 400_000, 128_000, cached(0.25, 0.025, 2.0)),
    ("gpt-5-nano", "GPT-5 nano", 400_000, 128_000, cached(0.05, 0.005, 0.4)),
    // Until 14 January 2027.
    ("gpt-4.1", "GPT-4.1", 1_047_576, 32_768, cached(2.0, 0.5, 8.0)),
    ("gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, cached(0.4, 0.1, 1.6)),
    ("gpt-4o", "GPT-4o", 128_000, 16_384, cached(2.5, 1.25, 10.0)),
    ("gpt-4o-mini", "GPT-4o mini", 128_000, 16_384, cached(0.15, 0.075, 0.6)),
];

const OPENAI_IMAGE: &[Row] = &[
    ("gpt-image-2.6-sunburst", "GPT Image 2.6 Sunburst", 0, 0, cached(5.0, 1.25, 30.0)),
    ("gpt-image-2.5-sunburst", "GPT Image 2.5 Sunburst", 0, 0, None),
    ("gpt-image-2.5-flare", "GPT Image 2.5 Flare", 0, 0, None),
    ("gpt-image-2", "GPT Image 2", 0, 0, None),
];

/// Until 6 January 2027.
const OPENAI_SPEECH: &[Row] = &[
    ("gpt-4o-mini-tts", "GPT-4o mini TTS", 2_000, 0, None),
    ("tts-1", "TTS-1", 0, 0, None),
    ("tts-1-hd", "TTS-1 HD", 0, 0, None),
];

const OPENAI_EMBEDDING: &[Row] = &[
    ("text-embedding-3-small", "Text Embedding 3 small", 8_191, 0, Some(price(0.02, 0.0))),
    ("text-embedding-3-large", "Text Embedding 3 large", 8_191, 0, Some(price(0.13, 0.0))),
];

const ANTHROPIC_TEXT: &[Row] = &[
    ("claude-fable-5-1", "Claude Fable 5.1", 1_000_000, 128_000, cached(10.0, 0.25, 50.0)),
    ("claude-fable-5", "Claude Fable 5", 1_000_000, 128_000, cached(10.0, 1.0, 50.0)),
    ("claude-opus-5-5", "Claude Opus 5.5", 1_000_000, 128_000, cached(4.0, 0.2, 20.0)),
    ("claude-opus-5", "Claude Opus 5", 1_000_000, 128_000, cached(5.0, 0.5, 25.0)),
    ("claude-sonnet-5-5", "Claude Sonnet 5.5", 1_000_000, 128_000, cached(2.0, 0.1, 10.0)),
    ("claude-sonnet-5", "Claude Sonnet 5", 1_000_000, 128_000, cached(2.0, 0.2, 10.0)),
    (
        "claude-haiku-5-5",
        "Claude Haiku 5.5",
        1_000_000,
        128_000,
        Some(price(0.1, 0.5).cached(0.01).long(100_000, 0.5, 2.5)),
    ),
    ("claude-opus-4-8", "Claude Opus 4.8", 1_000_000, 128_000, cached(5.0, 0.5, 25.0)),
    ("claude-opus-4-7", "Claude Opus 4.7", 1_000_000, 128_000, cached(5.0, 0.5, 25.0)),
    ("claude-opus-4-6", "Claude Opus 4.6", 1_000_000, 128_000, cached(5.0, 0.5, 25.0)),
    ("claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, cached(5.0, 0.5, 25.0)),
    ("claude-sonnet-4-6", "Claude Sonnet 4.6", 1_000_000, 64_000, cached(3.0, 0.3, 15.0)),
    ("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, cached(3.0, 0.3, 15.0)),
    ("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, cached(1.0, 0.1, 5.0)),
];

const GOOGLE_TEXT: &[Row] = &[
    // Until 31 December 2026; twice as much from then on.
    ("gemini-3.8-flash", "Gemini 3.8 Flash", 1_048_576, 65_536, Some(price(0.75, 3.75))),
    ("gemini-3.7-flash", "Gemini 3.7 Flash", 1_048_576, 65_536, None),
    ("gemini-3.6-flash", "Gemini 3.6 Flash", 1_048_576, 65_536, None),
    ("gemini-3.5-flash", "Gemini 3.5 Flash", 1_048_576, 65_536, Some(price(1.5, 9.0))),
    ("gemini-3.5-flash-lite", "Gemini 3.5 Flash-Lite", 1_048_576, 65_536, Some(price(0.3, 2.5))),
    (
        "gemini-3.1-pro-preview",
        "Gemini 3.1 Pro",
        1_048_576,
        65_536,
        Some(price(2.0, 12.0).cached(0.2).long(200_000, 4.0, 18.0)),
    ),
    ("gemini-3-flash-preview", "Gemini 3 Flash", 1_048_576, 65_536, cached(0.5, 0.05, 3.0)),
    (
        "gemini-2.5-pro",
        "Gemini 2.5 Pro",
        1_048_576,
        65_536,
        Some(price(1.25, 10.0).cached(0.125).long(200_000, 2.5, 15.0)),
    ),
    ("gemini-2.5-flash", "Gemini 2.5 Flash", 1_048_576, 65_536, cached(0.3, 0.03, 2.5)),
    ("gemini-2.5-flash-lite", "Gemini 2.5 Flash-Lite", 1_048_576, 65_536, cached(0.1, 0.01, 0.4)),
];

const GOOGLE_IMAGE: &[Row] = &[
    ("gemini-3-pro-image", "Gemini 3 Pro Image", 65_536, 32_768, Some(price(2.0, 120.0))),
    ("gemini-3.1-flash-image", "Gemini 3.1 Flash Image", 0, 0, None),
];

const GOOGLE_SPEECH: &[Row] = &[
    ("gemini-3.8-flash-tts", "Gemini 3.8 Flash TTS", 0, 0, None),
    ("gemini-3.8-flash-lite-tts", "Gemini 3.8 Flash-Lite TTS", 0, 0, None),
];

const GOOGLE_EMBEDDING: &[Row] = &[
    ("gemini-embedding-2", "Gemini Embedding 2", 8_192, 0, Some(price(0.2, 0.0))),
    ("gemini-embedding-001", "Gemini Embedding 1", 2_048, 0, Some(price(0.15, 0.0))),
];

const MISTRAL_TEXT: &[Row] = &[
    // At the present sale; twice as much after it.
    ("mistral-large-4", "Mistral Large 4", 1_048_576, 0, cached(0.68, 0.07, 2.09)),
    ("mistral-large-4-0", "Mistral Large 4", 1_048_576, 0, cached(0.68, 0.07, 2.09)),
    ("mistral-large-2512", "Mistral Large 3", 256_000, 0, Some(price(0.5, 1.5))),
    ("mistral-large-latest", "Mistral Large", 0, 0, None),
    ("mistral-medium-3-5", "Mistral Medium 3.5", 256_000, 0, Some(price(1.5, 7.5))),
    ("mistral-medium-latest", "Mistral Medium 3.5", 256_000, 0, Some(price(1.5, 7.5))),
    ("mistral-small-latest", "Mistral Small", 0, 0, None),
    ("codestral-latest", "Codestral", 256_000, 0, Some(price(0.3, 0.9))),
];

const MISTRAL_SPEECH: &[Row] = &[("voxtral-mini-tts-2603", "Voxtral Mini TTS", 0, 0, None)];

const MISTRAL_EMBEDDING: &[Row] = &[
    ("mistral-embed", "Mistral Embed", 8_192, 0, Some(price(0.1, 0.0))),
    ("codestral-embed", "Codestral Embed", 8_192, 0, Some(price(0.15, 0.0))),
];

/// Text models that take no pictures. Those of the vendors that are not named here take them, or refuse them.
const TEXT_ONLY: &[&str] = &[EXTRACTIVE, "codestral-latest"];

/// The built-in model is free; it costs only the server's CPU time.
const OWN_TEXT: &[Row] = &[(EXTRACTIVE, "Extractive", 0, 0, Some(Price::free()))];

const TABLE: &[(Provider, ModelKind, &[Row])] = &[
    (Provider::OpenAi, ModelKind::TextToText, OPENAI_TEXT),
    (Provider::OpenAi, ModelKind::TextToImage, OPENAI_IMAGE),
    (Provider::OpenAi, ModelKind::TextToSpeech, OPENAI_SPEECH),
    (Provider::OpenAi, ModelKind::TextToEmbedding, OPENAI_EMBEDDING),
    (Provider::Anthropic, ModelKind::TextToText, ANTHROPIC_TEXT),
    (Provider::Google, ModelKind::TextToText, GOOGLE_TEXT),
    (Provider::Google, ModelKind::TextToImage, GOOGLE_IMAGE),
    (Provider::Google, ModelKind::TextToSpeech, GOOGLE_SPEECH),
    (Provider::Google, ModelKind::TextToEmbedding, GOOGLE_EMBEDDING),
    (Provider::Mistral, ModelKind::TextToText, MISTRAL_TEXT),
    (Provider::Mistral, ModelKind::TextToSpeech, MISTRAL_SPEECH),
    (Provider::Mistral, ModelKind::TextToEmbedding, MISTRAL_EMBEDDING),
    (Provider::Formwork, ModelKind::TextToText, OWN_TEXT),
];

/// All entries of the table.
pub(super) fn entries() -> impl Iterator<Item = (ModelId, CatalogueEntry)> {
    TABLE.iter().flat_map(|(provider, kind, rows)| {
        rows.iter().map(|(model, name, context, output, price)| {
            let known = |tokens: u32| (tokens > 0).then_some(tokens);
            let entry = CatalogueEntry {
                name: Some((*name).to_owned()),
                kind: Some(*kind),
                context_tokens: known(*context),
                output_tokens: known(*output),
                price: *price,
                vision: TEXT_ONLY.contains(model).then_some(false),
            };
            (ModelId { model: (*model).to_owned(), provider: *provider }, entry)
        })
    })
}
