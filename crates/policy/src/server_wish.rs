//! What a response says about when to come back.
//!
//! A value that is malformed, zero or in the past is no wish, so that it can never make a wait
//! shorter than the own backoff; the next source is asked then.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, header};

use crate::{
    decimal::{milliseconds, seconds},
    error_body::ErrorBody,
    http_date,
    quota_headers::{self, Quota},
};

/// How much of a body is looked at.
pub const MAX_BODY_LOOKED_AT: usize = 64 * 1024;

/// Milliseconds: OpenAI's header, then Azure's.
static MILLISECOND_HEADERS: [HeaderName; 2] =
    [HeaderName::from_static("retry-after-ms"), HeaderName::from_static("x-ms-retry-after-ms")];

/// The wish in the headers alone: `retry-after-ms`, `x-ms-retry-after-ms`, `Retry-After`.
/// Always greater than zero; saturates. `now` is the local wall clock at the headers' arrival.
///
/// Of several lines of one name the largest valid one counts.
#[must_use]
pub fn in_headers(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    MILLISECOND_HEADERS.iter().find_map(|name| largest(headers, name, milliseconds)).or_else(|| {
        largest(headers, &header::RETRY_AFTER, |value| seconds(value).or_else(|| until(value, headers, now)))
    })
}

/// Google's `RetryInfo.retryDelay` in a JSON error body (a prefix of a body says nothing).
#[must_use]
pub fn in_body(body: &[u8]) -> Option<Duration> {
    ErrorBody::parse(body)?
        .retry_delays()
        .filter_map(|delay| seconds(delay.strip_suffix('s')?.as_bytes()))
        .filter(|wish| !wish.is_zero())
        .max()
}

/// The quota headers that say nothing is left: the longest wait until one of them lets a call pass.
#[must_use]
pub fn in_quotas(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    quota_headers::read(headers, now).iter().filter_map(Quota::wait).max()
}

/// The sources after [`in_headers`], in their order.
#[must_use]
pub fn elsewhere(headers: &HeaderMap, body: &[u8], now: SystemTime) -> Option<Duration> {
    in_body(body).or_else(|| in_quotas(headers, now))
}

fn largest(
    headers: &HeaderMap,
    name: &HeaderName,
    read: impl Fn(&[u8]) -> Option<Duration>,
) -> Option<Duration> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| read(value.as_bytes().trim_ascii()))
        .filter(|wish| !wish.is_zero())
        .max()
}

/// The time to an HTTP-date, from the response's own `Date` when the clocks disagree.
fn until(value: &[u8], headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    http_date::parse(value, now)?.duration_since(http_date::server_clock(headers, now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use std::time::UNIX_EPOCH;

    /// Fri, 29 Sep 2023 16:26:37 GMT.
    const NOW: u64 = 1_696_004_797;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            headers.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value);
        }
        headers
    }

    fn wish(lines: &[(&str, &str)]) -> Option<Duration> {
        in_headers(&headers(lines), UNIX_EPOCH + Duration::from_secs(NOW))
    }

    #[test]
    fn retry_after_in_seconds() {
        for (value, nanos) in [
            ("20", 20_000_000_000),
            ("1", 1_000_000_000),
            ("007", 7_000_000_000),
            ("0.46", 460_000_000),
            ("3.2", 3_200_000_000),
            ("45.837906927", 45_837_906_927),
            ("1.0", 1_000_000_000),
            (" 20", 20_000_000_000),
            ("\t42 ", 42_000_000_000),
            // Less than a nanosecond rounds up.
            ("0.0000000001", 1),
            ("0.0000000010000", 1),
            ("0.0000000010001", 2),
            ("0.9999999999", 1_000_000_000),
        ] {
            assert_eq!(wish(&[("retry-after", value)]), Some(Duration::from_nanos(nanos)), "{value:?}");
        }
    }

    #[test]
    fn huge_numbers_saturate() {
        for value in ["18446744073709551615", "18446744073709551616", &"9".repeat(35), &"9".repeat(5000)] {
            assert_eq!(wish(&[("retry-after", value)]).map(|wish| wish.as_secs()), Some(u64::MAX), "{value}");
            let millis = wish(&[("retry-after-ms", value)]);
            assert_eq!(millis, Some(Duration::from_millis(u64::MAX)), "{value}");
        }
        let ends = format!("{}.9999999999", u64::MAX);
        assert_eq!(wish(&[("retry-after", &ends)]), Some(Duration::MAX));
    }

    #[test]
    fn malformed_values_are_no_wish() {
        for value in [
            "",
            " ",
            "0",
            "0.0",
            "000",
            "-1",
            "-0",
            "+1",
            "1e9",
            "1E3",
            "0x10",
            "NaN",
            "nan",
            "inf",
            "Infinity",
            "tomorrow",
            "120junk",
            "1_0",
            "1,5",
            "1.",
            ".5",
            ".",
            "1.5.2",
            "1 2",
            "2, 3",
            "12s",
            "²",
            "1234567890123456789a",
            "\u{ff11}",
            "Zun, 29 Sep 2023 16:26:57 GMT",
            "Sat, 29 Sep 2023 16:26:57 GMT",
            "Fri, 29 Sep 100000 16:26:57 GMT",
        ] {
            for name in ["retry-after", "retry-after-ms", "x-ms-retry-after-ms"] {
                assert_eq!(wish(&[(name, value)]), None, "{name}: {value:?}");
            }
        }
    }

    #[test]
    fn retry_after_as_a_date() {
        for (value, seconds) in [
            ("Fri, 29 Sep 2023 16:26:57 GMT", Some(20)),
            ("Fri, 29 Sep 2023 16:26:38 GMT", Some(1)),
            ("Fri, 29 Sep 2023 16:26:37 GMT", None),
            ("Fri, 29 Sep 2023 16:26:27 GMT", None),
            ("Friday, 29-Sep-23 16:27:37 GMT", Some(60)),
            ("Fri Sep 29 16:27:37 2023", Some(60)),
            ("Tue, 3 Oct 2023 16:26:37 UTC", Some(4 * 86_400)),
            ("  Fri, 29 Sep 2023 16:26:57 -0000 ", Some(20)),
        ] {
            assert_eq!(wish(&[("retry-after", value)]), seconds.map(Duration::from_secs), "{value}");
        }
        // Only Retry-After takes dates.
        assert_eq!(wish(&[("retry-after-ms", "Fri, 29 Sep 2023 16:26:57 GMT")]), None);
    }

    #[test]
    fn the_local_clock_keeps_its_fraction() {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", HeaderValue::from_static("Fri, 29 Sep 2023 16:26:57 GMT"));
        headers.insert("date", HeaderValue::from_static("Fri, 29 Sep 2023 16:26:36 GMT"));
        let now = UNIX_EPOCH + Duration::from_millis(NOW * 1000 + 250);
        assert_eq!(in_headers(&headers, now), Some(Duration::from_millis(19_750)));
    }

    #[test]
    fn a_date_counts_from_the_servers_clock_when_that_differs() {
        let due = ("retry-after", "Fri, 29 Sep 2023 16:26:57 GMT");
        for (date, seconds) in [
            // Up to 2 s of difference the local clock counts.
            ("Fri, 29 Sep 2023 16:26:39 GMT", Some(20)),
            ("Fri, 29 Sep 2023 16:26:35 GMT", Some(20)),
            ("Fri, 29 Sep 2023 16:26:40 GMT", Some(17)),
            ("Fri, 29 Sep 2023 16:26:34 GMT", Some(23)),
            ("Fri, 29 Sep 2023 15:26:57 GMT", Some(3600)),
            ("Fri, 29 Sep 2023 16:26:57 GMT", None),
            ("Fri, 29 Sep 2023 17:26:57 GMT", None),
            // A malformed Date says nothing.
            ("yesterday", Some(20)),
            ("", Some(20)),
        ] {
            assert_eq!(wish(&[("date", date), due]), seconds.map(Duration::from_secs), "{date}");
        }
        // Seconds do not depend on any clock.
        let far = ("date", "Fri, 29 Sep 2023 12:00:00 GMT");
        assert_eq!(wish(&[far, ("retry-after", "5")]), Some(Duration::from_secs(5)));
    }

    #[test]
    fn sources_in_their_order() {
        for (lines, millis) in [
            (&[("retry-after-ms", "10"), ("x-ms-retry-after-ms", "20"), ("retry-after", "30")][..], 10),
            (&[("x-ms-retry-after-ms", "20"), ("retry-after", "30")], 20),
            (&[("retry-after-ms", "-5"), ("x-ms-retry-after-ms", "0"), ("retry-after", "7")], 7000),
            (&[("retry-after-ms", "-5"), ("x-ms-retry-after-ms", "0.5"), ("retry-after", "7")], 1),
            (&[("retry-after", "2"), ("retry-after", "3"), ("retry-after", "1")], 3000),
            (&[("retry-after", "2"), ("retry-after", "junk"), ("retry-after", "-9")], 2000),
            (&[("retry-after", "2"), ("retry-after", "Fri, 29 Sep 2023 16:26:57 GMT")], 20_000),
            (&[("retry-after-ms", "5"), ("retry-after-ms", "8")], 8),
        ] {
            let found = wish(lines).map(|wish| wish.as_nanos().div_ceil(1_000_000));
            assert_eq!(found, Some(millis), "{lines:?}");
        }
        // Quota headers are a source of their own.
        assert_eq!(wish(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "5")]), None);
    }

    #[test]
    fn quota_headers_wish_when_nothing_is_left() {
        let wish = |lines| in_quotas(&headers(lines), UNIX_EPOCH + Duration::from_secs(NOW));
        let requests = |remaining| {
            [
                ("x-ratelimit-limit-requests", "60"),
                ("x-ratelimit-remaining-requests", remaining),
                ("x-ratelimit-reset-requests", "59.94s"),
            ]
        };
        let window = |remaining| [("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", "5")];
        for (lines, millis) in [
            (&[][..], None),
            (&[("retry-after", "5")], None),
            (&window("0"), Some(5000)),
            (&window("1"), None),
            (&requests("0"), Some(999)),
            // The longest.
            (&[&requests("0")[..], &window("0")].concat(), Some(5000)),
            (
                &[&window("0")[..], &[("ratelimit", r#""hour";r=0;t=3600, "second";r=0;t=1"#)]].concat(),
                Some(3_600_000),
            ),
            // Of those only that have nothing left.
            (&[&requests("0")[..], &window("1")].concat(), Some(999)),
            (&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1696004800")], Some(3000)),
            (&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1696004000")], None),
            (&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "junk")], None),
        ] {
            assert_eq!(wish(lines), millis.map(Duration::from_millis), "{lines:?}");
        }
    }

    #[test]
    fn fractions_of_a_millisecond_round_up() {
        assert_eq!(wish(&[("retry-after-ms", "0.5")]), Some(Duration::from_micros(500)));
        assert_eq!(wish(&[("retry-after-ms", "1.0000001")]), Some(Duration::from_nanos(1_000_001)));
    }

    fn retry_info(delay: &str) -> String {
        format!(
            r#"{{"error":{{"code":429,"details":[
                {{"@type":"type.googleapis.com/google.rpc.Help","retryDelay":"99s"}},
                {{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":{delay}}}]}}}}"#
        )
    }

    #[test]
    fn google_says_it_in_the_body() {
        for (delay, nanos) in [
            (r#""34s""#, Some(34_000_000_000)),
            (r#""45.837906927s""#, Some(45_837_906_927)),
            (r#""39043s""#, Some(39_043_000_000_000)),
            (r#""0.5s""#, Some(500_000_000)),
            (r#""0s""#, None),
            (r#""-1s""#, None),
            (r#""34""#, None),
            (r#""34 s""#, None),
            (r#""1m""#, None),
            (r#""s""#, None),
            ("34", None),
            ("null", None),
        ] {
            let body = retry_info(delay);
            assert_eq!(in_body(body.as_bytes()), nanos.map(Duration::from_nanos), "{delay}");
            let wrapped = format!("[{body}]");
            assert_eq!(in_body(wrapped.as_bytes()), nanos.map(Duration::from_nanos), "[{delay}]");
            assert_eq!(in_body(&body.as_bytes()[..body.len() - 1]), None, "a prefix");
        }
        for body in ["", "null", "{}", r#"{"error":{"details":{}}}"#, "<html>"] {
            assert_eq!(in_body(body.as_bytes()), None, "{body}");
        }
    }
}
