#![doc = include_str!("../README.md")]

#[cfg(feature = "contract")]
#[allow(clippy::expect_used, clippy::missing_panics_doc, reason = "a conformance suite asserts")]
pub mod contract;
mod document_group;
mod document_pictures;
mod engine;
mod error;
mod expression;
mod extraction;
mod form;
mod form_examples;
pub mod json_schema;
pub mod labels;
mod memory;
mod pictures;
mod quote;
mod repository;
pub mod schema;
mod service;
pub mod table;
mod versions;

pub use document_group::DocumentGroup;
pub use document_pictures::DocumentPictures;
pub use engine::{
    AnswerStore, CallOptions, CallRoute, ENGINE_VERSION, ExtractError, ExtractRequest, ExtractionEngine,
    ExtractionEstimate, FEATURE_NAMES, FIRST_EVIDENCE, FeatureObserver, MemoryAnswerStore, NoopAnswerStore,
    SavedAnswer, SecondReader, SecondReading, TrustOptions, UnsupportedPolicy, parse_answer, read_answer,
};
pub use error::FormsError;
pub use expression::{Expression, MAX_EXPRESSION};
pub use extraction::{Conflict, ConflictValue, Evidence, Extraction, GroupDocument, Support};
pub use form::{Form, FormChange, FormGate, FormSummary, FormVersion, FormVersionSummary, VersionState};
pub use form_examples::{MAX_EXAMPLE_TEXT, MAX_EXAMPLES, stated_values, validate_examples};
pub use memory::MemoryForms;
pub use pictures::{
    PICTURE_SIZE, PagePictures, PictureOptions, PicturePolicy, PictureReport, SeenPages, UnseenPages,
    UnseenReason,
};
pub use quote::{QuotePlace, find_quote, quote_support};
pub use repository::FormRepository;
pub use schema::{
    Condition, Field, FieldRule, FieldType, FormExample, FormSchema, InapplicableFields, Mark, RecordFinding,
    map_of_pairs, misspelt_keys, pairs_of_map, pointer_tokens, validate_schema, value_at,
};
pub use service::{FormsService, MAX_TITLE};
