//! Durations and moments as servers write them. Everything is rounded up: who waits so long has waited enough.

use std::time::Duration;

use crate::clock::Stamp;

#[must_use]
pub fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[must_use]
pub fn whole_ms(wait: Duration) -> u128 {
    wait.as_nanos().div_ceil(1_000_000)
}

/// `7.660`
#[must_use]
pub fn decimal_seconds(wait: Duration) -> String {
    thousandths(whole_ms(wait))
}

/// The Unix time at which `wait` is over, in milliseconds.
#[must_use]
pub fn due_ms(wait: Duration, at: Stamp) -> u128 {
    (u128::from(at.unix_ns) + wait.as_nanos()).div_ceil(1_000_000)
}

/// `1406360476.065`
#[must_use]
pub fn due_decimal(wait: Duration, at: Stamp) -> String {
    thousandths(due_ms(wait, at))
}

/// The first whole second of the wall clock at which `wait` is over.
#[must_use]
pub fn due_second(wait: Duration, at: Stamp) -> i64 {
    i64::try_from(due_ms(wait, at).div_ceil(1_000)).unwrap_or(i64::MAX)
}

/// As Go prints a duration of whole milliseconds: `0s`, `734ms`, `7.66s`, `1m2.345s`, `6m0s`, `1h2m3s`.
#[must_use]
pub fn go_duration(wait: Duration) -> String {
    match whole_ms(wait) {
        0 => "0s".to_owned(),
        ms @ 1..1_000 => format!("{ms}ms"),
        ms => {
            let seconds = thousandths(ms % 60_000);
            let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
            format!("{}{seconds}s", minutes(ms / 60_000))
        }
    }
}

/// The same with two decimals, also below a second: `0.12s`, `7.66s`, `2m59.56s`.
#[must_use]
pub fn groq_duration(wait: Duration) -> String {
    let hundredths = wait.as_nanos().div_ceil(10_000_000);
    let minutes = minutes(hundredths / 6_000);
    format!("{minutes}{}.{:02}s", hundredths % 6_000 / 100, hundredths % 100)
}

fn thousandths(ms: u128) -> String {
    format!("{}.{:03}", ms / 1_000, ms % 1_000)
}

/// `1h2m`, `2m`, or nothing.
fn minutes(minutes: u128) -> String {
    match (minutes / 60, minutes % 60) {
        (0, 0) => String::new(),
        (0, minutes) => format!("{minutes}m"),
        (hours, minutes) => format!("{hours}h{minutes}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_go_prints_them() {
        let go = |ms| go_duration(Duration::from_millis(ms));
        let all =
            [0, 12, 999, 1_000, 1_500, 7_660, 10_000, 20_050, 60_000, 62_345, 179_560, 360_000, 3_723_000];
        assert_eq!(
            all.map(go),
            [
                "0s", "12ms", "999ms", "1s", "1.5s", "7.66s", "10s", "20.05s", "1m0s", "1m2.345s",
                "2m59.56s", "6m0s", "1h2m3s"
            ]
        );
        assert_eq!(go_duration(Duration::from_micros(88)), "1ms");
    }

    #[test]
    fn durations_as_groq_prints_them() {
        let groq = |ms| groq_duration(Duration::from_millis(ms));
        assert_eq!(
            [0, 111, 7_660, 60_000, 179_560].map(groq),
            ["0.00s", "0.12s", "7.66s", "1m0.00s", "2m59.56s"]
        );
    }

    #[test]
    fn moments_are_rounded_up() {
        let at = Stamp { unix_ns: 1_000_000_000_500_000_000, monotonic_ns: 0 };
        let wait = Duration::from_nanos(1_500_000_001);
        assert_eq!(due_second(wait, at), 1_000_000_003);
        assert_eq!(due_second(Duration::from_millis(500), at), 1_000_000_001);
        assert_eq!(due_decimal(wait, at), "1000000002.001");
        assert_eq!((whole_seconds(wait), decimal_seconds(wait).as_str()), (2, "1.501"));
    }
}
