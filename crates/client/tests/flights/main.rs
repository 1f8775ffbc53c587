//! Calls of one thread that move on together: all of them whoever is waited for, each with its own news.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

#[path = "../interrupts/alarm.rs"]
#[allow(dead_code, reason = "only a part of it is used here")]
mod alarm;
#[path = "../support/mod.rs"]
mod support;

mod away;
mod bodies;
mod cancelling;
mod driving;
mod flowing;
mod http2;
mod kept;
mod lanes;
mod lines;
mod many;
mod naps;
mod together;
mod whose;
mod wire;
