//! Times as PHP sees them: seconds as float.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use policy::Timestamp;

/// Unix time.
#[must_use]
pub fn since_epoch(instant: SystemTime) -> f64 {
    match instant.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    }
}

/// Unix time of an instant on the clock of calls, which says `now`.
#[must_use]
pub fn unix_time(at: Timestamp, now: Timestamp) -> f64 {
    let wall = since_epoch(SystemTime::now());
    if at >= now { wall + at.since(now).as_secs_f64() } else { wall - now.since(at).as_secs_f64() }
}

/// For messages: to the millisecond, without needless zeros. "30", "4.25", "0.001".
#[must_use]
pub fn text(duration: Duration) -> String {
    let text = format!("{:.3}", duration.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_short_and_exact() {
        for (millis, shown) in [(30_000, "30"), (4_250, "4.25"), (1, "0.001"), (0, "0"), (100_000, "100")] {
            assert_eq!(text(Duration::from_millis(millis)), shown);
        }
    }
}
