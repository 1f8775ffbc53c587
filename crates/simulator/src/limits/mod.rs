//! What a server counts: pure structs that a request hits.

mod bucket;
mod concurrency;
mod log;
mod window;

pub use bucket::Bucket;
pub use concurrency::Concurrency;
pub use log::Log;
pub use window::{Begin, Window};

/// Floating-point dust: 1 − 1e-12 tokens are one.
const DUST: f64 = 1e-9;

/// What a server thinks of one request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub accepted: bool,
    /// Seconds until a request of this cost would be accepted; 0 when this one was.
    pub opens: f64,
    pub quota: Quota,
}

/// What a server can say of itself in headers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quota {
    pub limit: f64,
    pub remaining: f64,
    /// Seconds until the bucket is full, or until the window ends.
    pub reset: f64,
    /// The length of the window; for a bucket the time it takes to fill.
    pub period: f64,
}

#[derive(Clone, Debug)]
pub enum Limit {
    Bucket(Bucket),
    Window(Window),
    Log(Log),
    Concurrency(Concurrency),
}

impl Limit {
    /// A request of `cost` arrives at `now`, in seconds. Calls come in order of time.
    pub fn hit(&mut self, now: f64, cost: f64) -> Hit {
        match self {
            Self::Bucket(bucket) => bucket.hit(now, cost),
            Self::Window(window) => window.hit(now, cost),
            Self::Log(log) => log.hit(now),
            Self::Concurrency(concurrency) => concurrency.hit(),
        }
    }

    /// An accepted request has been worked on.
    pub const fn finish(&mut self) {
        if let Self::Concurrency(concurrency) = self {
            concurrency.finish();
        }
    }
}
