//! The retry loop over scripted answers on a virtual clock: order, waits, hooks and ends, without a network.

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
