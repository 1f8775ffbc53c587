//! What a limiter is told: its limits, what each of them counts, and when the first one changes.

use std::time::Duration;

/// How a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `limit`, then nothing until the window is over.
    Window,
    /// Up to `burst` at once, refilled evenly at `limit` per `window`.
    Bucket,
    /// At most `limit` in any stretch of time as long as `window`.
    Sliding,
    /// At most `limit` requests at the same time.
    Concurrency,
}

impl Kind {
    const NAMES: [(Self, &'static str); 4] = [
        (Self::Window, "window"),
        (Self::Bucket, "bucket"),
        (Self::Sliding, "sliding"),
        (Self::Concurrency, "concurrency"),
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, n)| *n == name).map(|(kind, _)| *kind)
    }
}

/// Where a window begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// With the first request after the last window.
    #[default]
    Request,
    /// At the multiples of its length on the monotonic clock.
    Monotonic,
    /// At the multiples of its length in Unix time, as it was at the first request.
    Unix,
    /// The first one ends so long after the first request, the others follow without a gap.
    Phase(Duration),
}

/// What one request takes from a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counts {
    /// One.
    #[default]
    Requests,
    /// Its cost.
    Costs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    pub kind: Kind,
    pub limit: u64,
    pub window: Duration,
    /// The bucket's size; the other kinds have none.
    pub burst: u64,
    pub align: Align,
    pub counts: Counts,
}

impl Limit {
    /// A limit of zero or an empty window would divide by zero: both become one.
    #[must_use]
    pub fn new(kind: Kind, limit: u64, window: Duration, burst: Option<u64>) -> Self {
        let limit = limit.max(1);
        let window = window.max(Duration::from_nanos(1));
        let burst = burst.unwrap_or(limit).max(1);
        Self { kind, limit, window, burst, align: Align::default(), counts: Counts::default() }
    }

    /// The most that can remain.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        if self.kind == Kind::Bucket { self.burst } else { self.limit }
    }

    pub(super) fn window_ns(&self) -> u64 {
        u64::try_from(self.window.as_nanos()).unwrap_or(u64::MAX)
    }
}

/// So long after the first request the first limit is another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub after: Duration,
    pub limit: u64,
}

/// A request passes if every limit lets it pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub first: Limit,
    pub also: Vec<Limit>,
    /// In order of time.
    pub changes: Vec<Change>,
}

impl From<Limit> for Rule {
    fn from(first: Limit) -> Self {
        Self { first, also: Vec::new(), changes: Vec::new() }
    }
}

impl Rule {
    pub fn limits(&self) -> impl Iterator<Item = &Limit> {
        std::iter::once(&self.first).chain(&self.also)
    }
}
