//! A vendor that fails in one way for certain, before each operation that asks a model: what is answered is right or is
//! said to be missing, the error or warning names what happened, what was charged is booked, and nothing waits for ever.

mod chat;
mod delta;
mod generate;
mod kit;
mod knowledge;
