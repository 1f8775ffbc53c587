//! Quota headers in the forms of the families that APIs send.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::{clock, limits::Quota};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `x-ratelimit-*-requests`, `reset` a Go duration until the bucket is full.
    OpenAi,
    /// `x-ratelimit-*-tokens`, the same.
    OpenAiTokens,
    /// `anthropic-ratelimit-requests-*`, `reset` a date of RFC 3339 in whole seconds.
    Anthropic,
    /// `RateLimit` and `RateLimit-Policy` of the IETF draft.
    Draft,
    /// `x-ratelimit-*` without a unit, `reset` in seconds since 1970.
    Epoch,
}

impl Family {
    pub fn write(self, quota: &Quota, now: f64, headers: &mut HeaderMap) {
        let limit = quota.limit.floor().to_string();
        let remaining = quota.remaining.floor().to_string();
        let (prefix, suffix, reset) = match self {
            Self::OpenAi => ("x-ratelimit-", "-requests", go_duration(quota.reset)),
            Self::OpenAiTokens => ("x-ratelimit-", "-tokens", go_duration(quota.reset)),
            Self::Anthropic => {
                ("anthropic-ratelimit-requests-", "", rfc3339(clock::unix(now + quota.reset).ceil() as u64))
            }
            Self::Epoch => ("x-ratelimit-", "", clock::unix(now + quota.reset).ceil().to_string()),
            Self::Draft => {
                let reset = quota.reset.ceil();
                insert(headers, "ratelimit", &format!("\"default\";r={remaining};t={reset}"));
                let period = quota.period.ceil();
                insert(headers, "ratelimit-policy", &format!("\"default\";q={limit};w={period}"));
                return;
            }
        };
        for (what, value) in [("limit", &limit), ("remaining", &remaining), ("reset", &reset)] {
            insert(headers, &format!("{prefix}{what}{suffix}"), value);
        }
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        headers.insert(name, value);
    }
}

/// As Go prints durations, cut to milliseconds: `12ms`, `1.5s`, `6m0s`, `1h2m3s`.
fn go_duration(seconds: f64) -> String {
    let millis = (seconds * 1e3).round() as u64;
    let (minutes, rest) = (millis / 60_000, (millis % 60_000) as f64 / 1e3);
    match (minutes / 60, minutes % 60) {
        (0, 0) if millis < 1000 => format!("{millis}ms"),
        (0, 0) => format!("{rest}s"),
        (0, minutes) => format!("{minutes}m{rest}s"),
        (hours, minutes) => format!("{hours}h{minutes}m{rest}s"),
    }
}

/// A date of RFC 3339 from seconds since 1970. Days to a date: Howard Hinnant's `civil_from_days`.
fn rfc3339(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_go_prints_them() {
        for (seconds, text) in [
            (0.0, "0ms"),
            (0.0124, "12ms"),
            (1.0, "1s"),
            (1.5, "1.5s"),
            (360.0, "6m0s"),
            (179.56, "2m59.56s"),
            (3723.0, "1h2m3s"),
        ] {
            assert_eq!(go_duration(seconds), text);
        }
    }

    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_700_000_000, "2023-11-14T22:13:20Z"),
        ] {
            assert_eq!(rfc3339(seconds), text);
        }
    }

    #[test]
    fn families() {
        let quota = Quota { limit: 50.0, remaining: 7.9, reset: 0.842, period: 1.0 };
        for (family, lines) in [
            (
                Family::OpenAi,
                &[
                    ("x-ratelimit-limit-requests", "50"),
                    ("x-ratelimit-remaining-requests", "7"),
                    ("x-ratelimit-reset-requests", "842ms"),
                ] as &[_],
            ),
            (
                Family::Anthropic,
                &[
                    ("anthropic-ratelimit-requests-limit", "50"),
                    ("anthropic-ratelimit-requests-remaining", "7"),
                    ("anthropic-ratelimit-requests-reset", "2023-11-14T22:13:22Z"),
                ],
            ),
            (
                Family::Epoch,
                &[
                    ("x-ratelimit-limit", "50"),
                    ("x-ratelimit-remaining", "7"),
                    ("x-ratelimit-reset", "1700000002"),
                ],
            ),
            (
                Family::Draft,
                &[("ratelimit", "\"default\";r=7;t=1"), ("ratelimit-policy", "\"default\";q=50;w=1")],
            ),
        ] {
            let mut headers = HeaderMap::new();
            family.write(&quota, 0.0, &mut headers);
            assert_eq!(headers.len(), lines.len());
            for (name, value) in lines {
                assert_eq!(headers[*name], value);
            }
        }
    }
}
