//! What the processes of one machine know together: real processes, a real server that counts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

#[path = "../support/mod.rs"]
mod support;

mod alone;
mod concurrency;
mod forks;
mod gates;
mod hour;
mod machine;
mod places;
mod queue;
mod quotas;
mod scout;
mod waits;
mod web;
