//! After a fork neither side disturbs the other: the child builds its own, the parent keeps its own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

#[path = "../support/mod.rs"]
mod support;

mod connections;
mod in_flight;
mod randomness;
