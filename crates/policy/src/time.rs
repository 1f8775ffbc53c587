//! Instants and durations in integer nanoseconds; everything saturates.

use std::time::Duration;

/// An instant on a monotonic clock that the caller chooses, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The instant `wait` later; the end of time if that does not fit.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self(self.0.saturating_add(nanos(wait)))
    }

    /// The instant `stretch` earlier; the beginning of time if there is none.
    #[must_use]
    pub fn before(self, stretch: Duration) -> Self {
        Self(self.0.saturating_sub(nanos(stretch)))
    }

    /// How long after `earlier` this is; zero if it is not after it.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// Whole nanoseconds of a duration, saturating at `u64::MAX` (584 years).
pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Seconds, as PHP gives them, to a duration: rounded up to the nanosecond, saturating, never
/// negative. NaN is zero; callers that must refuse it do so before (see [`crate::options`]).
#[must_use]
pub fn from_seconds(seconds: f64) -> Duration {
    from_nanos_up(seconds * 1e9)
}

/// A number of nanoseconds to a duration: rounded up, saturating, zero for NaN and what is negative.
pub(crate) fn from_nanos_up(nanos: f64) -> Duration {
    // `as` saturates at both ends and takes NaN for zero (Rust reference, numeric casts).
    Duration::from_nanos(nanos.ceil() as u64)
}

/// Any number of nanoseconds to a duration, saturating.
pub(crate) fn from_wide_nanos(nanos: u128) -> Duration {
    const SECOND: u128 = 1_000_000_000;
    // The remainder is less than a second and fits.
    u64::try_from(nanos / SECOND)
        .map_or(Duration::MAX, |seconds| Duration::new(seconds, (nanos % SECOND) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_saturate() {
        let end = Timestamp::from_nanos(u64::MAX);
        assert_eq!(end.after(Duration::from_nanos(1)), end);
        assert_eq!(Timestamp::from_nanos(7).after(Duration::MAX), end);
        assert_eq!(Timestamp::from_nanos(7).after(Duration::from_nanos(3)).as_nanos(), 10);
        assert_eq!(Timestamp::from_nanos(7).before(Duration::from_nanos(3)).as_nanos(), 4);
        assert_eq!(Timestamp::from_nanos(7).before(Duration::MAX), Timestamp::default());
        assert_eq!(Timestamp::from_nanos(7).since(end), Duration::ZERO);
        assert_eq!(end.since(Timestamp::default()), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn seconds_round_up_and_saturate() {
        for (seconds, nanos) in [
            (0.0, 0),
            (-0.0, 0),
            (-1.0, 0),
            (f64::NAN, 0),
            (f64::NEG_INFINITY, 0),
            (5e-324, 1),
            (1e-9, 1),
            (1.5e-9, 2),
            (0.1, 100_000_000),
            (0.25, 250_000_000),
            (600.0, 600_000_000_000),
            (1e25, u64::MAX),
            (f64::INFINITY, u64::MAX),
        ] {
            assert_eq!(from_seconds(seconds), Duration::from_nanos(nanos), "{seconds}");
        }
    }

    #[test]
    fn wide_nanoseconds_saturate() {
        for (nanos, duration) in [
            (0, Duration::ZERO),
            (1_999_999_999, Duration::new(1, 999_999_999)),
            (Duration::MAX.as_nanos(), Duration::MAX),
            (Duration::MAX.as_nanos() + 1, Duration::MAX),
            (u128::MAX, Duration::MAX),
        ] {
            assert_eq!(from_wide_nanos(nanos), duration, "{nanos}");
        }
    }
}
