//! A scripted HTTP server for the tests: any answer, delay, drop, TLS and HTTP/2, on the loopback only.
//!
//! It plays what a script says and remembers what arrived. It judges nothing: what is right is the tests' business.
//! `TestServer` runs it within a Rust test; the binary of the same name serves everybody else. README.md is the
//! reference of steps, paths and control endpoints.

mod accept;
mod answering;
mod blackhole;
mod body;
mod certs;
mod clock;
mod compile;
mod control;
mod dates;
mod encode;
mod error;
mod gates;
mod h1;
mod h2_side;
mod handle;
mod limited;
pub mod limiter;
mod listeners;
mod log;
mod options;
mod proxy;
mod query;
mod reply;
mod request;
mod route;
mod running;
mod script;
mod shorthand;
mod spec;
mod state;
mod stats;
mod step;
mod template;
mod text;
mod tls;
mod wire;

pub use clock::Stamp;
pub use error::StartError;
pub use handle::TestServer;
pub use log::Entry;
pub use options::{Options, USAGE};
pub use serde_json::json;
pub use step::StepError;
