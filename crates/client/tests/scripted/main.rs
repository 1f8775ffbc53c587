//! The retry loop over scripted answers on a virtual clock: order, waits, hooks and ends, without a network.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

#[path = "../support/mod.rs"]
mod support;

mod bodies;
mod budget;
mod gate;
mod hooks;
mod ids;
mod keys;
mod order;
mod redirects;
mod reentry;
mod sinks;
