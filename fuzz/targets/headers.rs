//! Any answer: its headers by line, an empty line, its body. A line `:clock: 1696004797` sets the local clock.
//!
//! What it says is within its bounds, and what is learned from it holds no call back for longer than promised.
#![no_main]

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fuzz::{Call, End, LONGEST_RESET, report, settings};
use http::{HeaderMap, HeaderName, HeaderValue};
use libfuzzer_sys::fuzz_target;
use policy::{
    Outcome, Timestamp,
    pacing::{self, Ask, Class, Knowledge, Seen, Waiter, What, Words},
    quota_headers::{self, Kind, Quota, Quotas, Unit},
    server_wish,
};

/// Fri, 29 Sep 2023 16:26:37 GMT.
const CLOCK: Duration = Duration::from_secs(1_696_004_797);
const START: Timestamp = Timestamp::from_nanos(1_000_000_000_000);
const TOOK: Duration = Duration::from_millis(20);
/// `maxRetryAfter` in seconds: as it is by default, and longer than any header is believed.
const PATIENCE: [f64; 2] = [30.0, 1e8];
const MOST_QUOTAS: usize = 8;
const LONGEST_NAME: usize = 64;

fuzz_target!(|data: &[u8]| {
    let answer = Answer::of(data);
    let (headers, clock) = (&answer.headers, answer.clock);
    let quotas = quota_headers::read(headers, clock);
    believable(&quotas);
    if let Some(name) = quota_headers::resource(headers) {
        assert!((1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic()));
    }
    let said = server_wish::in_headers(headers, clock);
    let in_body = server_wish::in_body(answer.body);
    let in_quotas = server_wish::in_quotas(headers, clock);
    assert!([said, in_body, in_quotas].into_iter().flatten().all(|wish| !wish.is_zero()));
    assert_eq!(in_quotas, quotas.iter().filter_map(Quota::wait).max());
    assert!(in_quotas.is_none_or(|wish| wish < LONGEST_RESET));
    for status in [200, 429, 503] {
        for patience in PATIENCE {
            learn(&answer, &quotas, status, patience);
        }
    }
});

struct Answer<'a> {
    headers: HeaderMap,
    clock: SystemTime,
    body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// Lines that are no header are left out.
    fn of(data: &'a [u8]) -> Self {
        let mut answer = Self { headers: HeaderMap::new(), clock: UNIX_EPOCH + CLOCK, body: b"" };
        let mut rest = data;
        while !rest.is_empty() {
            let (line, after) = parted(rest, b'\n');
            if line.is_empty() {
                answer.body = after;
                break;
            }
            answer.add(line);
            rest = after;
        }
        answer
    }

    fn add(&mut self, line: &[u8]) {
        if let Some(clock) = line.strip_prefix(b":clock:") {
            let seconds = std::str::from_utf8(clock.trim_ascii()).ok().and_then(|text| text.parse().ok());
            let clock = seconds.and_then(|seconds| UNIX_EPOCH.checked_add(Duration::from_secs(seconds)));
            self.clock = clock.unwrap_or(self.clock);
            return;
        }
        let (name, value) = parted(line, b':');
        if let (Ok(name), Ok(value)) = (HeaderName::from_bytes(name), HeaderValue::from_bytes(value)) {
            self.headers.append(name, value);
        }
    }
}

/// What is before and after a byte.
fn parted(text: &[u8], byte: u8) -> (&[u8], &[u8]) {
    let mut parts = text.splitn(2, |other| *other == byte);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

fn believable(quotas: &Quotas) {
    assert!(quotas.len() <= MOST_QUOTAS);
    for (index, quota) in quotas.iter().enumerate() {
        assert!(
            quota.id != 0 && quotas.iter().skip(index + 1).all(|other| other.id != quota.id),
            "{quotas:?}"
        );
        assert!(quota.limit.is_none_or(|limit| quota.remaining <= limit), "{quota:?}");
        assert!(quota.reset.is_none_or(|reset| !reset.is_zero() && reset < LONGEST_RESET), "{quota:?}");
        assert!(quota.window.is_none_or(|window| !window.is_zero() && window <= LONGEST_RESET), "{quota:?}");
        assert!(!quota.coarse || quota.reset.is_some(), "{quota:?}");
        match quota.wait() {
            Some(wait) => {
                assert!(quota.remaining == 0 && !wait.is_zero() && Some(wait) <= quota.reset, "{quota:?}")
            }
            None => {
                let says_nothing = quota.remaining > 0 || quota.reset.is_none();
                let is_bucket = quota.kind == Kind::Full;
                assert!(
                    says_nothing
                        || is_bucket && (quota.unit != Unit::Requests || quota.limit.unwrap_or(0) == 0)
                );
            }
        }
    }
}

/// A call gets this answer each time.
fn learn(answer: &Answer<'_>, quotas: &Quotas, status: u16, patience: f64) {
    let outcome = Outcome::Answer {
        status,
        headers: &answer.headers,
        body: answer.body,
        arrived: START,
        arrived_wall: answer.clock,
    };
    let what = What::of(&outcome);
    let wish = match what {
        What::Refused { wish } => wish,
        What::Overloaded { wish } => Some(wish),
        What::Accepted | What::Nothing => None,
    };
    assert!(wish.is_none_or(|wish| !wish.is_zero()));

    let scope = Words::default();
    let known = Knowledge { scope: &scope, account: None, tag: 1, given: &[] };
    let settings = settings(patience, 5);
    let ask = Ask { cost: None, tokens: 300.0 };
    let mut now = START;
    for attempts in 0..3 {
        let mut waiter = Waiter::new(&settings, Class::Batch, None);
        let call = Call {
            known: &known,
            settings: &settings,
            ask: &ask,
            class: Class::Batch,
            attempts,
            deadline: None,
        };
        let (end, at) = call.wait(&mut waiter, now);
        now = at.after(TOOK);
        let End::Sent(ticket) = end else { return };
        let seen = Seen { what, quotas, in_flight: None };
        pacing::observe(&known, &ticket, &seen, now);
        report(&scope, now);
    }
}
