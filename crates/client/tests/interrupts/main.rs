//! Signals while a call waits: the driver hears of them at once, and the wait goes on to its due time.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

#[path = "../support/mod.rs"]
mod support;

mod alarm;
mod inside;
mod paced;
mod waits;
