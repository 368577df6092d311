//! The real binary over HTTP: what it answers, what it keeps, and how it starts and ends. Every answer
//! in these tests is checked against the description of the interface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "tests assert"
)]

mod a2a;
mod access;
mod administration;
mod ag_ui;
mod agent_tools;
mod agents;
mod anthropic;
mod audit;
mod backup;
mod batches;
mod bodies;
mod buckets;
mod changes;
mod chat;
mod commit_crashes;
mod console;
mod content;
mod copy;
mod corpus;
mod database_outage;
mod delta;
mod delta_events;
mod delta_failures;
mod delta_runs;
mod description;
mod doctor;
mod documented;
mod durability;
mod e_invoices;
mod errors;
mod evaluations;
mod exports;
mod form_drafts;
mod form_gates;
mod form_guidance;
mod form_versions;
mod forms;
mod full_disk;
mod generate;
mod intake;
mod interface;
mod io_faults;
mod isolation;
mod keys;
mod kill;
mod kit;
mod knowledge;
mod lists;
mod log;
mod long_reports;
mod mcp;
mod metrics;
mod notes;
mod ocr;
mod oidc;
mod openai;
mod openai_files;
mod openai_responses;
mod openai_tools;
mod openai_vector_stores;
mod packages;
mod page_pictures;
mod postgres;
mod protocol;
mod public;
mod quotas;
mod reference;
mod repeated;
mod responses;
mod review_evidence;
mod review_members;
mod reviews;
mod rich_values;
mod run_settings;
mod schema_from_documents;
mod schema_tools;
mod search;
mod settings;
mod start;
mod stop;
mod traces;
mod unread_pages;
mod uploads;
mod usage;
mod utilities;
mod vendor_failures;
mod web;
mod webhooks;
