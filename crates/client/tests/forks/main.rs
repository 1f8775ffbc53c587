//! After a fork neither side disturbs the other: the child builds its own, the parent keeps its own.

#[path = "../support/mod.rs"]
mod support;

mod connections;
mod in_flight;
mod randomness;
