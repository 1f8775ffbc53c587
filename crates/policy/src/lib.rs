//! What a retry decides: values in, values out.
//!
//! Nothing here reads a clock, draws from an ambient random source, does I/O, holds a lock or
//! knows PHP. Time and randomness are passed in, so every decision can be replayed in a test.
#![forbid(unsafe_code)]

pub mod attempt;
pub mod backoff;
pub mod decide;
mod decimal;
mod error_body;
pub mod given;
mod http_date;
pub mod idempotency;
pub mod limit;
pub mod options;
pub mod pacing;
pub mod quota_headers;
pub mod server_wish;
pub mod status;
pub mod time;

pub use attempt::{Attempt, FailureKind, Reason};
pub use decide::{Failure, Outcome, Situation, Verdict, decide};
pub use options::{OptionError, Options, Settings};
pub use time::Timestamp;
