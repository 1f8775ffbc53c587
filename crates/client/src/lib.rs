//! Sends, waits and remembers: the retry loop over reqwest. It knows nothing of PHP.
//!
//! A caller [`begin`](runtime::begin)s a call and [`drive`](runtime::drive)s it step by step. Whatever
//! the call needs from outside (a hook, a place to write the body to) is a [`Step`] that the caller
//! answers; in between, the calling thread sleeps in the event loop. No callback is ever entered from
//! inside the loop.

mod body;
mod call;
mod clock;
mod events;
mod fork;
pub mod journal;
mod nap;
mod pacing;
mod payload;
mod progress;
mod random;
mod response;
pub mod runtime;
mod transport;
mod until;
mod world;

#[cfg(test)]
#[path = "../tests/support/children.rs"]
mod children;
#[cfg(test)]
#[path = "../tests/support/forked.rs"]
mod forked;

pub use body::{Body, Part};
pub use call::{Begun, Call, End, Ended, Hooks, Incoming, Lane, Limits, Request, Sink, Step};
pub use events::{Event, Events, Lines, TooLong};
pub use pacing::stats::{KeyStats, State, Stats, Window, stats};
pub use pacing::{SharedMemory, keep_state_at};
pub use payload::{Payload, Room};
pub use policy::pacing::Class;
pub use progress::{Display, Meter, Progress};
pub use random::boundary;
pub use response::{Failed, Response};
pub use transport::hosts::Hosts;
pub use transport::route::{HttpVersion, ProxyChoice, Route, RouteError, Tls};
pub use world::VirtualClock;
