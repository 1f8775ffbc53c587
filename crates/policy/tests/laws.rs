//! What holds for every input.
#![expect(clippy::unwrap_used, reason = "a test: a panic is its failure")]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::{HeaderMap, HeaderValue, Method};
use policy::{
    Failure, FailureKind, Options, Outcome, Reason, Settings, Situation, Timestamp, Verdict,
    backoff::Backoff,
    decide,
    decide::wants_body,
    idempotency::{self, KeyOrigin},
    limit::{self, Limit},
    quota_headers, server_wish,
    status::StatusSet,
    time::from_seconds,
};
use proptest::{collection::vec, option, prelude::*};
use rand::{SeedableRng, rngs::StdRng};

/// 2023-09-29T16:26:37Z.
const WALL: u64 = 1_696_004_797;

const DAY: Duration = Duration::from_secs(86_400);

fn settings() -> impl Strategy<Value = Settings> {
    let delay = || 0.0..100.0;
    let flags = (any::<bool>(), any::<bool>());
    (1_i64..20, delay(), 1.0..10.0, delay(), 0.0..2.0, delay(), flags).prop_map(
        |(max_attempts, base_delay, multiplier, max_delay, jitter, max_retry_after, (unsafely, keys))| {
            Options {
                max_attempts,
                base_delay,
                multiplier,
                max_delay,
                jitter,
                max_retry_after,
                retry_unsafe: unsafely,
                idempotency_key: keys,
                ..Options::default()
            }
            .validate()
            .unwrap()
        },
    )
}

/// The clock at the headers' arrival, how much later the decision is asked, and the deadline.
#[derive(Clone, Debug)]
struct Clock {
    arrived: Timestamp,
    now: Timestamp,
    deadline: Option<Timestamp>,
}

fn clock() -> impl Strategy<Value = Clock> {
    let place = prop_oneof![0_u64..1_000_000_000_000_000, Just(u64::MAX - 5), any::<u64>()];
    let later = 0_u64..2_000_000_000;
    (place, later, option::of(0_u64..200_000_000_000)).prop_map(|(arrived, later, left)| {
        let arrived = Timestamp::from_nanos(arrived);
        let now = arrived.after(Duration::from_nanos(later));
        Clock { arrived, now, deadline: left.map(|left| arrived.after(Duration::from_nanos(left))) }
    })
}

/// Values as servers write them, and others.
fn header_value() -> impl Strategy<Value = Vec<u8>> {
    let date = (0_i64..4_000_000_000).prop_map(|seconds| {
        let date = UNIX_EPOCH + Duration::from_secs(seconds.unsigned_abs());
        httpdate::fmt_http_date(date).into_bytes()
    });
    prop_oneof![
        (0_u64..200).prop_map(|seconds| seconds.to_string().into_bytes()),
        (0.0..200.0).prop_map(|seconds: f64| seconds.to_string().into_bytes()),
        date,
        "[-+]?[0-9]{0,25}(\\.[0-9]{0,12})?[a-z]{0,2}".prop_map(String::into_bytes),
        "[A-Z][a-z]{2}(day)?,? ?[0-9]{1,2}[ -][A-Z][a-z]{2}[ -][0-9]{2,6} [0-9:]{5,8} (GMT|UTC|-0000)"
            .prop_map(String::into_bytes),
        vec(any::<u8>(), 0..40),
    ]
}

fn headers() -> impl Strategy<Value = HeaderMap> {
    let name = prop::sample::select(vec![
        "retry-after",
        "retry-after-ms",
        "x-ms-retry-after-ms",
        "date",
        "x-should-retry",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
    ]);
    vec((name, header_value()), 0..5).prop_map(header_map)
}

fn header_map(lines: Vec<(&'static str, Vec<u8>)>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        if let Ok(value) = HeaderValue::from_bytes(&value) {
            headers.append(name, value);
        }
    }
    headers
}

/// The headers that tell of quotas by a number.
const COUNTS: [&str; 15] = [
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-limit-requests",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-remaining-tokens",
    "x-rate-limit-limit",
    "x-rate-limit-remaining",
    "ratelimit-limit",
    "ratelimit-remaining",
    "anthropic-ratelimit-requests-limit",
    "anthropic-ratelimit-requests-remaining",
    "anthropic-ratelimit-tokens-remaining",
    "anthropic-ratelimit-input-tokens-remaining",
    "anthropic-ratelimit-output-tokens-limit",
    "anthropic-ratelimit-output-tokens-remaining",
];

/// By a time in any form.
const RESETS: [&str; 6] = [
    "x-ratelimit-reset",
    "x-ratelimit-reset-after",
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
    "x-rate-limit-reset",
    "ratelimit-reset",
];

/// By a date.
const DATES: [&str; 4] = [
    "anthropic-ratelimit-requests-reset",
    "anthropic-ratelimit-tokens-reset",
    "anthropic-ratelimit-input-tokens-reset",
    "anthropic-ratelimit-output-tokens-reset",
];

/// By other things, or not at all but read with them.
const OTHERS: [&str; 7] = [
    "ratelimit",
    "ratelimit-policy",
    "x-shopify-shop-api-call-limit",
    "x-ratelimit-resource",
    "x-ratelimit-bucket",
    "age",
    "date",
];

fn quota_header() -> impl Strategy<Value = &'static str> {
    prop::sample::select([&COUNTS[..], &RESETS, &DATES, &OTHERS].concat())
}

/// A header with a value as its family writes it, or with any.
fn quota_line() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let bytes = String::into_bytes;
    let reset = prop_oneof![
        3 => "[0-9]{1,3}(\\.[0-9]{1,11})?",
        1 => "(16960[0-9]{5}|16960[0-9]{8})(\\.[0-9]{1,4})?",
        1 => "([0-9]{1,21}(\\.[0-9]{1,11})?(h|m|s|ms|us|µs|μs|ns)){1,4}",
    ];
    let clock = "[Tt ][0-2][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|z|[-+]0[0-9]:[0-5][0-9])";
    let date = format!("20(23-(09-30|10-0[1-9])|[0-9]{{2}}-[0-9]{{2}}-[0-9]{{2}}){clock}");
    let list = prop_oneof![
        2 => "\"a\";r=[0-9]{1,2};t=[0-9]{1,9}(, \"?[ab]{1,2}\"?(;[rt]=[0-9]{1,3}){1,3}){0,9}",
        1 => "remaining=[0-9]{1,3}(, (limit|remaining|reset)=[0-9]{1,9}){0,3}",
    ];
    let policy =
        "\"a\";q=[0-9]{1,3}(;w=[0-9]{1,6})?(;qu=\"(requests|tokens|x)\")?(, [0-9]{1,3};w=[0-9]{1,3}){0,3}";
    let noise = prop_oneof!["[-+(){}\\[\\]a-z0-9.,:;=?@%\"/ ]{0,30}".prop_map(bytes), header_value()];
    prop_oneof![
        8 => (prop::sample::select(COUNTS.to_vec()), "(0|[1-9][0-9]?|[0-9]{2,4})(\\.0)?".prop_map(bytes)),
        4 => (prop::sample::select(RESETS.to_vec()), reset.prop_map(bytes)),
        4 => (
            prop::sample::select(DATES.to_vec()),
            prop::string::string_regex(&date).unwrap().prop_map(bytes),
        ),
        1 => (Just("ratelimit"), list.prop_map(bytes)),
        1 => (Just("ratelimit-policy"), policy.prop_map(bytes)),
        1 => (Just("x-shopify-shop-api-call-limit"), "[0-9]{1,3}/[0-9]{1,3}".prop_map(bytes)),
        1 => (quota_header(), noise),
    ]
}

/// Bytes, JSON and what looks like an error body.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let google = "[0-9]{0,6}(\\.[0-9]{0,10})?s?".prop_map(|delay| {
        format!(
            r#"{{"error":{{"code":429,"details":[{{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"{delay}"}}]}}}}"#
        )
        .into_bytes()
    });
    prop_oneof![
        Just(Vec::new()),
        google,
        vec(any::<u8>(), 0..200),
        "[\\[\\]{}\":,0-9a-z@.]{0,60}".prop_map(String::into_bytes)
    ]
}

fn method() -> impl Strategy<Value = Method> {
    prop::sample::select(vec![Method::GET, Method::PUT, Method::POST, Method::PATCH, Method::CONNECT])
}

fn key() -> impl Strategy<Value = KeyOrigin> {
    prop::sample::select(vec![KeyOrigin::Absent, KeyOrigin::Ours, KeyOrigin::Callers])
}

fn wall() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(WALL)
}

fn failure() -> impl Strategy<Value = Failure> {
    (prop::sample::select(FailureKind::ALL.to_vec()), any::<bool>(), any::<bool>())
        .prop_map(|(kind, unsent, permanent)| Failure { kind, unsent, permanent })
}

#[derive(Clone, Debug)]
enum End {
    Answer { status: u16, headers: HeaderMap, body: Vec<u8> },
    Failure(Failure),
}

fn end() -> impl Strategy<Value = End> {
    let status = prop_oneof![Just(429_u16), Just(503), 100_u16..600];
    prop_oneof![
        3 => (status, headers(), body()).prop_map(|(status, headers, body)| End::Answer { status, headers, body }),
        1 => failure().prop_map(End::Failure),
    ]
}

impl End {
    fn outcome(&self, arrived: Timestamp) -> Outcome<'_> {
        match self {
            Self::Answer { status, headers, body } => {
                Outcome::Answer { status: *status, headers, body, arrived, arrived_wall: wall() }
            }
            Self::Failure(failure) => Outcome::Failure(*failure),
        }
    }

    fn wish(&self) -> Option<Duration> {
        match self {
            Self::Answer { headers, body, .. } => {
                let after_headers =
                    || server_wish::in_body(body).or_else(|| server_wish::in_quotas(headers, wall()));
                server_wish::in_headers(headers, wall()).or_else(after_headers)
            }
            Self::Failure(_) => None,
        }
    }
}

fn ask(settings: &Settings, situation: &Situation<'_>, outcome: &Outcome<'_>, seed: u64) -> Verdict {
    decide(settings, situation, outcome, &mut StdRng::seed_from_u64(seed))
}

/// A GET that got a 429 with one header line.
fn refused(settings: &Settings, attempt: u32, name: &'static str, value: &[u8], seed: u64) -> Verdict {
    let mut headers = HeaderMap::new();
    headers.insert(name, HeaderValue::from_bytes(value).unwrap());
    let arrived = Timestamp::default();
    let outcome =
        Outcome::Answer { status: 429, headers: &headers, body: b"", arrived, arrived_wall: wall() };
    let situation =
        Situation { method: &Method::GET, attempt, key: KeyOrigin::Absent, now: arrived, deadline: None };
    ask(settings, &situation, &outcome, seed)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn a_wait_stays_within_its_cap_and_the_deadline(
        settings in settings(), clock in clock(), end in end(), method in method(), key in key(),
        attempt in 1_u32..25, seed in any::<u64>(),
    ) {
        let situation = Situation { method: &method, attempt, key, now: clock.now, deadline: clock.deadline };
        match ask(&settings, &situation, &end.outcome(clock.arrived), seed) {
            Verdict::Retry { due, reason } => {
                prop_assert!(attempt < settings.max_attempts);
                prop_assert!(due >= clock.now);
                prop_assert!(clock.deadline.is_none_or(|deadline| due < deadline));
                let jitter = settings.backoff.jitter;
                let wait = due.since(clock.now);
                match (reason, end.wish()) {
                    (Reason::RetryAfter, Some(wish)) => {
                        let capped = wish.min(settings.max_retry_after);
                        prop_assert!(due.since(clock.arrived) <= (capped + jitter).max(clock.now.since(clock.arrived)));
                        prop_assert!(due >= clock.arrived.after(capped));
                        // The deadline lies beyond the whole wish, not only beyond what is waited.
                        prop_assert!(clock.deadline.is_none_or(|deadline| clock.arrived.after(wish) < deadline));
                    }
                    (Reason::Backoff, None) | (Reason::Network, None) => {
                        let backoff = settings.backoff.after(attempt);
                        prop_assert!(backoff <= settings.backoff.max);
                        prop_assert!(wait <= backoff + jitter);
                        prop_assert!(due >= clock.now.after(backoff));
                    }
                    other => prop_assert!(false, "{:?}", other),
                }
            }
            Verdict::OverBudget { needed, left } => {
                prop_assert!(needed >= left);
                prop_assert_eq!(Some(left), clock.deadline.map(|deadline| deadline.since(clock.now)));
            }
            Verdict::Exhausted => prop_assert!(attempt >= settings.max_attempts),
            Verdict::End(reason) => prop_assert!(matches!(reason, Reason::Answered | Reason::NotRetryable)),
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_schedule(
        settings in settings(), clock in clock(), end in end(), method in method(), key in key(), seed in any::<u64>(),
    ) {
        let schedule = || {
            let mut random = StdRng::seed_from_u64(seed);
            (1..20)
                .map(|attempt| {
                    let situation = Situation { method: &method, attempt, key, now: clock.now, deadline: clock.deadline };
                    decide(&settings, &situation, &end.outcome(clock.arrived), &mut random)
                })
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(schedule(), schedule());
    }

    #[test]
    fn what_is_no_wish_never_shortens_the_backoff(settings in settings(), value in header_value(), seed in any::<u64>()) {
        let mut headers = HeaderMap::new();
        let Ok(line) = HeaderValue::from_bytes(&value) else { return Ok(()) };
        headers.insert("retry-after", line);
        if server_wish::in_headers(&headers, wall()).is_none() {
            let bare = refused(&settings, 1, "x-nothing", b"", seed);
            prop_assert_eq!(refused(&settings, 1, "retry-after", &value, seed), bare);
        }
    }

    #[test]
    fn a_past_date_never_shortens_the_backoff(settings in settings(), ago in 0..WALL, seed in any::<u64>()) {
        let date = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(WALL - ago));
        let bare = refused(&settings, 1, "x-nothing", b"", seed);
        prop_assert_eq!(refused(&settings, 1, "retry-after", date.as_bytes(), seed), bare);
    }

    #[test]
    fn a_valid_wish_replaces_the_backoff(
        settings in settings(), seconds in 1_u64..10_000_000, attempt in 1_u32..19, seed in any::<u64>(),
        as_date in any::<bool>(),
    ) {
        let settings = Settings { max_attempts: u32::MAX, ..settings };
        let value = if as_date {
            httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(WALL + seconds))
        } else {
            seconds.to_string()
        };
        let Verdict::Retry { due, reason } = refused(&settings, attempt, "retry-after", value.as_bytes(), seed) else {
            return Err(TestCaseError::fail("no retry"));
        };
        let capped = Duration::from_secs(seconds).min(settings.max_retry_after);
        prop_assert_eq!(reason, Reason::RetryAfter);
        prop_assert!(due >= Timestamp::default().after(capped));
        prop_assert!(due <= Timestamp::default().after(capped).after(settings.backoff.jitter));
    }

    #[test]
    fn digits_are_a_wish_of_that_many_seconds(whole in 0_u64.., fraction in 0_u32..1_000_000_000) {
        let mut headers = HeaderMap::new();
        headers.insert("retry-after", HeaderValue::from_str(&format!("{whole}.{fraction:09}")).unwrap());
        let wish = server_wish::in_headers(&headers, wall()).unwrap_or_default();
        prop_assert_eq!(wish, Duration::new(whole, fraction));
    }

    #[test]
    fn any_date_reads_back(seconds in WALL + 1..253_402_300_800) {
        let mut headers = HeaderMap::new();
        let date = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds));
        headers.insert("retry-after", HeaderValue::from_str(&date).unwrap());
        prop_assert_eq!(server_wish::in_headers(&headers, wall()), Some(Duration::from_secs(seconds - WALL)));
    }

    #[test]
    fn parsing_never_panics(
        headers in headers(), body in body(), text in any::<String>(), bytes in vec(any::<u8>(), 0..8),
        status in any::<u16>(), seconds in any::<i64>(), cost in any::<f64>(), number in any::<f64>(),
    ) {
        let settings = Options::default().validate().unwrap();
        let clock = if seconds < 0 {
            UNIX_EPOCH.checked_sub(Duration::from_secs(seconds.unsigned_abs()))
        } else {
            UNIX_EPOCH.checked_add(Duration::from_secs(seconds.unsigned_abs()))
        };
        let now = clock.unwrap_or(UNIX_EPOCH);
        if let Some(wish) = server_wish::in_headers(&headers, now) {
            prop_assert!(!wish.is_zero());
        }
        if let Some(wish) = server_wish::in_body(&body) {
            prop_assert!(!wish.is_zero());
        }
        let _ = wants_body(&settings, status, &headers, now);
        let parsed = Limit::parse(&text);
        let _ = limit::check_cost(cost, parsed.as_ref().ok());
        let _ = StatusSet::empty().insert_class(&bytes);
        let _ = StatusSet::empty().insert(seconds);
        let _ = (StatusSet::default().contains(status), from_seconds(number));
        idempotency::new_key(now, &mut StdRng::seed_from_u64(1));
        let options = Options { max_attempts: seconds, base_delay: number, timeout: cost, ..Options::default() };
        let _ = options.validate();
    }

    #[test]
    fn quotas_are_within_their_ranges(
        lines in vec(quota_line(), 0..20), clock in 0_u64..,
        near in any::<bool>(),
    ) {
        let headers = header_map(lines);
        let now = if near { Some(wall()) } else { UNIX_EPOCH.checked_add(Duration::from_secs(clock)) };
        let now = now.unwrap_or(UNIX_EPOCH);
        let quotas = quota_headers::read(&headers, now);
        prop_assert!(quotas.len() <= 8);
        for quota in quotas.iter() {
            prop_assert!(quota.id != 0 && quotas.iter().filter(|other| other.id == quota.id).count() == 1);
            prop_assert!(quota.limit.is_none_or(|limit| quota.remaining <= limit), "{:?}", quota);
            prop_assert!(quota.reset.is_none_or(|reset| !reset.is_zero() && reset < 31 * DAY), "{:?}", quota);
            prop_assert!(!quota.coarse || quota.reset.is_some(), "{:?}", quota);
            prop_assert!(quota.window.is_none_or(|window| !window.is_zero()), "{:?}", quota);
            if let Some(wait) = quota.wait() {
                prop_assert!(quota.remaining == 0 && !wait.is_zero() && Some(wait) <= quota.reset, "{:?}", quota);
            }
        }
        let longest = quotas.iter().filter_map(quota_headers::Quota::wait).max();
        prop_assert_eq!(server_wish::in_quotas(&headers, now), longest);
        if let Some(name) = quota_headers::resource(&headers) {
            prop_assert!((1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic()));
        }
    }

    #[test]
    fn any_bytes_are_survived(name in quota_header(), value in vec(any::<u8>(), 0..100)) {
        let lines = COUNTS.iter().filter(|other| other.ends_with("remaining")).map(|other| (*other, b"1".to_vec()));
        let headers = header_map(lines.chain([(name, value)]).collect());
        prop_assert!(quota_headers::read(&headers, wall()).len() <= 8);
        let _ = quota_headers::resource(&headers);
    }

    #[test]
    fn go_durations_read_back(hours in 0_u64..700, minutes in 0_u64..60, nanos in 1_u64..60_000_000_000) {
        let seconds = format!("{}.{:09}s", nanos / 1_000_000_000, nanos % 1_000_000_000);
        let headers = header_map(vec![
            ("x-ratelimit-remaining-requests", b"1".to_vec()),
            ("x-ratelimit-reset-requests", format!("{hours}h{minutes}m{seconds}").into_bytes()),
        ]);
        let expected = Duration::from_secs(hours * 3600 + minutes * 60) + Duration::from_nanos(nanos);
        let resets: Vec<_> = quota_headers::read(&headers, wall()).iter().map(|quota| quota.reset).collect();
        prop_assert_eq!(resets, vec![Some(expected)]);
    }

    #[test]
    fn limits_are_within_their_ranges(text in "[0-9]{0,11} ?(/|per|at) ?[0-9]{0,3}(ms|s|min|h|day|once)( burst [0-9]{1,3})?") {
        if let Ok(limit) = Limit::parse(&text) {
            for rule in limit.rules {
                match rule {
                    limit::Rule::Rate { count, period, burst } => {
                        prop_assert!(count >= 1 && burst >= 1 && !period.is_zero());
                    }
                    limit::Rule::Window { count, period } => {
                        prop_assert!((1..=1000).contains(&count) && !period.is_zero());
                    }
                    limit::Rule::Concurrency(count) => prop_assert!(count >= 1),
                }
            }
        }
    }

    #[test]
    fn backoff_never_shrinks_and_never_passes_its_cap(
        base in any::<f64>(), multiplier in any::<f64>(), max in any::<f64>(), attempt in any::<u32>(),
    ) {
        let backoff =
            Backoff { base: from_seconds(base), multiplier, max: from_seconds(max), jitter: Duration::ZERO };
        let wait = backoff.after(attempt);
        prop_assert!(wait <= backoff.max);
        prop_assert!(backoff.after(attempt.saturating_add(1)) >= wait);
    }

    #[test]
    fn jitter_stays_in_its_range(jitter in any::<u64>(), seed in any::<u64>()) {
        let jitter = Duration::from_nanos(jitter);
        let backoff = Backoff { base: Duration::ZERO, multiplier: 1.0, max: Duration::ZERO, jitter };
        prop_assert!(backoff.draw_jitter(&mut StdRng::seed_from_u64(seed)) <= jitter);
    }
}
