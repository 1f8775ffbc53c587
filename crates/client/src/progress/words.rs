//! How the numbers of a batch are said: plain English in ASCII, which every terminal and log takes.

use std::time::Duration;

use policy::Timestamp;

use super::Progress;

const MINUTE: u64 = 60;
const HOUR: u64 = 60;
const DAY: u64 = 24;
/// From here on nobody counts seconds.
const MANY_SECONDS: u64 = 10 * MINUTE;
/// From here on a decimal tells nothing.
const FAST: f64 = 99.95;

/// `120/2000 done, 49.8/s, 3 x 429, waiting 12 s, about 38 s left`; what does not apply is left out.
pub(super) fn under_way(progress: &Progress, now: Timestamp) -> String {
    let mut parts = counts(progress);
    let wait = progress.waiting_until.map(|until| until.since(now)).filter(|wait| !wait.is_zero());
    parts.extend(wait.map(|wait| format!("waiting {}", duration(wait))));
    let left = progress.eta.filter(|eta| !eta.is_zero());
    parts.extend(left.map(|left| format!("about {} left", duration(left))));
    parts.join(", ")
}

/// Where nothing is to come any more.
pub(super) fn at_the_end(progress: &Progress) -> String {
    counts(progress).join(", ")
}

fn counts(progress: &Progress) -> Vec<String> {
    let mut parts = vec![match progress.total {
        Some(total) => format!("{}/{total} done", progress.done),
        None => format!("{} done", progress.done),
    }];
    parts.extend((progress.rate > 0.0).then(|| speed(progress.rate)));
    parts.extend((progress.limited > 0).then(|| format!("{} x 429", progress.limited)));
    parts
}

/// In the shortest unit of time in which there is at least one.
fn speed(rate: f64) -> String {
    let (minute, hour) = (rate * 60.0, rate * 3_600.0);
    if rate >= FAST {
        format!("{rate:.0}/s")
    } else if rate >= 1.0 {
        format!("{rate:.1}/s")
    } else if minute >= 1.0 {
        format!("{minute:.1}/min")
    } else {
        format!("{hour:.1}/h")
    }
}

/// Rounded up, so that no more is promised than holds, and a countdown does not stand at zero.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs().saturating_add(u64::from(duration.subsec_nanos() > 0));
    if seconds < MANY_SECONDS {
        return two("min", seconds / MINUTE, "s", seconds % MINUTE);
    }
    let minutes = seconds.div_ceil(MINUTE);
    if minutes < DAY * HOUR {
        return two("h", minutes / HOUR, "min", minutes % HOUR);
    }
    let hours = minutes.div_ceil(HOUR);
    let days = hours / DAY;
    two(if days == 1 { "day" } else { "days" }, days, "h", hours % DAY)
}

/// Without what is zero.
fn two(unit: &str, count: u64, smaller: &str, rest: u64) -> String {
    match (count, rest) {
        (0, _) => format!("{rest} {smaller}"),
        (_, 0) => format!("{count} {unit}"),
        _ => format!("{count} {unit} {rest} {smaller}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_nanos(5_000_000_000);

    fn all() -> Progress {
        Progress {
            done: 120,
            total: Some(2_000),
            rate: 49.8,
            limited: 3,
            waiting_until: Some(NOW.after(Duration::from_secs(12))),
            eta: Some(Duration::from_millis(37_750)),
        }
    }

    #[test]
    fn all_that_applies_is_said() {
        assert_eq!(under_way(&all(), NOW), "120/2000 done, 49.8/s, 3 x 429, waiting 12 s, about 38 s left");
        assert_eq!(at_the_end(&all()), "120/2000 done, 49.8/s, 3 x 429");
    }

    #[test]
    fn what_does_not_apply_is_left_out() {
        let none = Progress { done: 0, total: None, rate: 0.0, limited: 0, waiting_until: None, eta: None };
        assert_eq!(under_way(&none, NOW), "0 done");
        assert_eq!(at_the_end(&none), "0 done");
        let done = Progress { done: 2_000, eta: Some(Duration::ZERO), waiting_until: Some(NOW), ..all() };
        assert_eq!(under_way(&done, NOW), "2000/2000 done, 49.8/s, 3 x 429");
        let waiting = Progress { waiting_until: all().waiting_until, ..none };
        assert_eq!(under_way(&waiting, NOW), "0 done, waiting 12 s");
    }

    #[test]
    fn rates() {
        for (rate, words) in [
            (25_000.4, "25000/s"),
            (99.96, "100/s"),
            (99.94, "99.9/s"),
            (1.0, "1.0/s"),
            (0.99, "59.4/min"),
            (1.0 / 12.0, "5.0/min"),
            (0.01, "36.0/h"),
            (1.0 / 36_000.0, "0.1/h"),
        ] {
            assert_eq!(speed(rate), words, "{rate}");
        }
    }

    #[test]
    fn durations() {
        for (seconds, words) in [
            (0.000_000_001, "1 s"),
            (1.0, "1 s"),
            (1.1, "2 s"),
            (59.0, "59 s"),
            (59.5, "1 min"),
            (61.0, "1 min 1 s"),
            (120.0, "2 min"),
            (599.0, "9 min 59 s"),
            (599.5, "10 min"),
            (601.0, "11 min"),
            (3_540.5, "1 h"),
            (3_660.0, "1 h 1 min"),
            (86_340.0, "23 h 59 min"),
            (86_341.0, "1 day"),
            (90_000.0, "1 day 1 h"),
            (180_000.0, "2 days 2 h"),
            (1_209_600.0, "14 days"),
        ] {
            assert_eq!(duration(Duration::from_secs_f64(seconds)), words, "{seconds}");
        }
        assert_eq!(duration(Duration::MAX), "213503982334601 days 8 h");
    }
}
