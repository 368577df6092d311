//! The use cases over memory: a process that works on items, indexes that follow, and time that tests move.

mod crash;
mod faults;
mod grounding;
mod ingest;
mod kit;
mod models;
mod pump;
mod search;
mod threads;
