//! Signals while a call waits: the driver hears of them at once, and the wait goes on to its due time.

#[path = "../support/mod.rs"]
mod support;

mod alarm;
mod inside;
mod waits;
