//! What holds for several operations alike: how values are named, what is told of those that break rules, what ends.

mod bodies;
mod content;
mod models;
mod references;
