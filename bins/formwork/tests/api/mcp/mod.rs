//! The Model Context Protocol over HTTP and over standard input and output.

mod access;
mod conversations;
mod elicitation;
mod extraction;
mod kit;
mod protocol;
mod resources;
mod runs;
mod stateless;
mod stdio;
mod tools;
