//! Other clients' own test cases, answered by our rules.
//!
//! `peers.tsv` keeps what each peer expects next to `ours`, what this policy answers, so that each
//! difference is a decision one can see. In `ours`:
//! - `retry-after 20`, `backoff 0.5`, `network 0.5`: sent again after that many seconds, jitter left out;
//! - `retry-after 30 of 60`: the server asked for more than `maxRetryAfter`, `of endless` for more than 64 bits;
//! - `over-budget 200 10`: the wait needs 200 s, 10 s are left;
//! - `answered`, `not-retryable`, `exhausted`: not sent again.
//!
//! Names with a colon are no headers but the peer's setting: a method, its delays, its limits. The
//! options are the defaults with endless attempts where the row sets nothing else.
#![expect(clippy::unwrap_used, reason = "a test: a panic is its failure")]

use std::{
    fmt::Write as _,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use policy::{
    Failure, FailureKind, Options, Outcome, Reason, Situation, Timestamp, Verdict, decide,
    idempotency::{KeyOrigin, takes_key},
    server_wish,
};
use rand::{SeedableRng, rngs::StdRng};
use serde_json::Value;

const PEERS: &str = include_str!("peers.tsv");

/// When nothing is said: an instant at which all dates of the rows without a clock are irrelevant.
const ANY_DAY: &str = "2026-01-01T00:00:00Z";

struct Row<'a> {
    id: &'a str,
    status: &'a str,
    headers: Value,
    now: SystemTime,
    attempt: u32,
    ours: &'a str,
}

fn rows() -> Vec<Row<'static>> {
    PEERS.lines().skip(1).map(row).collect()
}

fn row(line: &'static str) -> Row<'static> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [id, _, status, headers, now, attempt, _, _, ours, _] = *columns.as_slice() else {
        panic!("ten columns: {line}")
    };
    Row {
        id,
        status,
        headers: serde_json::from_str(headers).unwrap(),
        now: instant(if now == "-" { ANY_DAY } else { now }),
        attempt: attempt.parse().unwrap(),
        ours,
    }
}

/// `2023-09-29T16:26:37Z`; days by Howard Hinnant's `days_from_civil`.
fn instant(text: &str) -> SystemTime {
    let number = |range: std::ops::Range<usize>| text[range].parse::<u64>().unwrap();
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    let seconds = ((days * 24 + number(11..13)) * 60 + number(14..16)) * 60 + number(17..19);
    UNIX_EPOCH + Duration::from_secs(seconds)
}

impl Row<'_> {
    /// The peer's setting of that name.
    fn setting(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.as_str()
    }

    fn method(&self) -> Method {
        self.setting(":method").map_or(Method::GET, |method| method.parse().unwrap())
    }

    fn response_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in self.headers.as_object().unwrap() {
            let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else { continue };
            let lines = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            for line in lines {
                let bytes = line.as_str().unwrap().as_bytes();
                headers.append(&name, HeaderValue::from_bytes(bytes).unwrap());
            }
        }
        headers
    }

    fn options(&self) -> Options {
        let mut options = Options { jitter: 0.0, max_attempts: i64::MAX, ..Options::default() };
        let number = |name| self.setting(name).map(|text| text.parse::<f64>().unwrap());
        if let Some(retries) = self.setting(":max_retries") {
            options.max_attempts = retries.parse::<i64>().unwrap() + 1;
        }
        options.max_retry_after = number(":maxRetryAfter").unwrap_or(options.max_retry_after);
        for part in self.setting(":config").unwrap_or_default().split_terminator(';') {
            let (name, value) = part.split_once('=').unwrap();
            let value: f64 = value.parse().unwrap();
            match name {
                "delay" => options.base_delay = value / 1000.0,
                "mult" => options.multiplier = value,
                // Symfony's 0 is no cap.
                "max" if self.id.starts_with("SYM") && value == 0.0 => options.max_delay = 1e9,
                "max" if self.id.starts_with("SYM") => options.max_delay = value / 1000.0,
                "initial" => options.base_delay = value,
                "max" => options.max_delay = value,
                "jitter" | "rand" => {}
                other => panic!("{other}"),
            }
        }
        options.max_delay = number(":max_allowable_timeout_secs").unwrap_or(options.max_delay);
        options
    }

    /// What is left of the peer's time limit, seconds.
    fn left(&self) -> Option<u64> {
        let total: u64 = self.setting(":give_up_after_secs")?.parse().unwrap();
        Some(total - self.setting(":elapsed").unwrap_or("0").parse::<u64>().unwrap())
    }

    fn answer(&self) -> String {
        let method = self.method();
        let now = Timestamp::from_nanos(1 << 40);
        let headers = self.response_headers();
        let outcome = match self.status.parse() {
            Ok(status) => {
                Outcome::Answer { status, headers: &headers, body: b"", arrived: now, arrived_wall: self.now }
            }
            Err(_) => Outcome::Failure(Failure { kind: FailureKind::Reset, unsent: false, permanent: false }),
        };
        let situation = Situation {
            method: &method,
            attempt: self.attempt,
            key: if takes_key(&method) { KeyOrigin::Ours } else { KeyOrigin::Absent },
            now,
            deadline: self.left().map(|seconds| now.after(Duration::from_secs(seconds))),
        };
        let settings = self.options().validate().unwrap();
        let verdict = decide(&settings, &situation, &outcome, &mut StdRng::seed_from_u64(0));
        self.written(verdict, now, server_wish::in_headers(&headers, self.now))
    }

    fn written(&self, verdict: Verdict, now: Timestamp, wish: Option<Duration>) -> String {
        match verdict {
            Verdict::End(reason) => reason.as_str().to_owned(),
            Verdict::Exhausted => "exhausted".to_owned(),
            Verdict::OverBudget { needed, left } => {
                format!("over-budget {} {}", needed.as_secs_f64(), left.as_secs_f64())
            }
            Verdict::Retry { due, reason } => {
                let wait = due.since(now);
                let mut text = format!("{} {}", reason.as_str(), wait.as_secs_f64());
                if let Some(wish) = wish.filter(|wish| *wish != wait && reason == Reason::RetryAfter) {
                    match wish.as_secs() {
                        u64::MAX => text.push_str(" of endless"),
                        _ => write!(text, " of {}", wish.as_secs_f64()).unwrap(),
                    }
                }
                text
            }
        }
    }
}

#[test]
fn our_answers_to_the_cases_of_others() {
    let wrong: Vec<String> = rows()
        .iter()
        .filter(|row| row.answer() != row.ours)
        .map(|row| format!("{}: {} but {}", row.id, row.ours, row.answer()))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_row_is_answered_once() {
    let mut ids: Vec<&str> = rows().iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), 151);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 151);
}
