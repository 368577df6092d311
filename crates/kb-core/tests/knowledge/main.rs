//! The use cases over memory: a process that works on items, indexes that follow, and time that tests move.

#![allow(clippy::unwrap_used, reason = "helpers of tests, too, may fail loudly")]

mod attributes;
mod crash;
mod embedding;
mod faults;
mod grounding;
mod ingest;
mod kit;
mod models;
mod narrowed;
mod pump;
mod query_syntax;
mod refinement;
mod search;
mod service;
mod several;
mod web;
