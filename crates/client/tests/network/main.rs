//! Real sockets against the scripted server: what reqwest does is mapped, bounded and repeated as the rules say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "test code")]

#[path = "../support/mod.rs"]
mod support;

mod answers;
mod cancelled;
mod codings;
mod connect;
mod deadlines;
mod extremes;
mod files;
mod http2;
mod let_go;
mod limits;
mod malformed;
mod pools;
mod proxies;
mod redirects;
mod resends;
mod reuse;
mod rooms;
mod sinks;
mod socks;
mod timeouts;
mod timing;
mod tls;
mod uploads;
