//! The fake clock: seconds of the simulation, the nanoseconds that the policy sees, and a wall clock.

use std::time::{Duration, SystemTime};

use policy::{Timestamp, time::from_seconds};

/// The monotonic clock does not begin at zero on a real machine either.
const UPTIME: Duration = Duration::from_secs(1000);

/// Where the wall clock begins, in seconds since 1970: not a whole second, as it would be in life.
const WALL: Duration = Duration::from_millis(1_700_000_000_370);

#[must_use]
pub fn stamp(seconds: f64) -> Timestamp {
    Timestamp::default().after(UPTIME + from_seconds(seconds))
}

#[must_use]
pub fn seconds(stamp: Timestamp) -> f64 {
    let nanos = i128::from(stamp.as_nanos()) - i128::try_from(UPTIME.as_nanos()).unwrap_or_default();
    nanos as f64 / 1e9
}

#[must_use]
pub fn wall(seconds: f64) -> SystemTime {
    SystemTime::UNIX_EPOCH + WALL + from_seconds(seconds)
}

/// Seconds since 1970.
#[must_use]
pub fn unix(seconds: f64) -> f64 {
    WALL.as_secs_f64() + seconds
}
