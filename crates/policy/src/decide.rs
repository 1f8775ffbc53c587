//! What follows an attempt.
//!
//! Three questions in this order: may it be sent again at all, is an attempt left, does the wait
//! fit the time left. So an answer that no repetition can better is never reported as used-up attempts.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, Method};
use rand_core::Rng;

use crate::{
    attempt::{FailureKind, Reason},
    error_body::ErrorBody,
    idempotency::{KeyOrigin, is_idempotent},
    options::Settings,
    server_wish,
    time::Timestamp,
};

/// Headers by which a server forbids a repetition: OpenAI's and Stripe's. Their `true` adds none.
const SHOULD_RETRY: [&str; 2] = ["x-should-retry", "stripe-should-retry"];

pub(crate) const TOO_MANY_REQUESTS: u16 = 429;

/// Statuses that say the request was not worked on: RFC 9110 section 15.6.4, and Anthropic's "overloaded".
pub(crate) const OVERLOADED: [u16; 2] = [503, 529];

/// Where the call stands when an attempt has ended.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    pub method: &'a Method,
    /// The attempt that just ended, 1 for the first.
    pub attempt: u32,
    pub key: KeyOrigin,
    pub now: Timestamp,
    pub deadline: Option<Timestamp>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    Answer {
        status: u16,
        headers: &'a HeaderMap,
        /// What had arrived of the body when it was looked at, at most 64 KiB; empty when not looked at.
        body: &'a [u8],
        /// When the headers arrived: a server's wish counts from here.
        arrived: Timestamp,
        /// The local wall clock at that instant.
        arrived_wall: SystemTime,
    },
    Failure(Failure),
}

/// An attempt without a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// Proven never to have reached the server.
    pub unsent: bool,
    /// No repetition can mend it: a certificate, a malformed request, an answer over a size limit.
    pub permanent: bool,
}

impl Failure {
    /// Whether no repetition can mend it, by its kind alone or because it is marked so.
    #[must_use]
    pub const fn is_permanent(&self) -> bool {
        self.permanent
            || matches!(self.kind, FailureKind::TooLarge | FailureKind::Redirect | FailureKind::Sink)
    }
}

/// What to do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Hand the answer, or the failure, to the caller: `Answered` or `NotRetryable`.
    End(Reason),
    /// The last allowed attempt got a retryable status or failure.
    Exhausted,
    /// Send again at `due`: `RetryAfter`, `Backoff` or `Network`.
    Retry { due: Timestamp, reason: Reason },
    /// The wait would end at or past the deadline.
    OverBudget { needed: Duration, left: Duration },
}

/// Whether the body must be looked at before [`decide`] can be asked: a retryable 429, and a
/// retryable 503 or 529 without a wish in its headers. Quota headers spare no body: it is asked before them.
#[must_use]
pub fn wants_body(settings: &Settings, status: u16, headers: &HeaderMap, now: SystemTime) -> bool {
    if !settings.retry_on.contains(status) || is_forbidden(headers) {
        return false;
    }
    status == TOO_MANY_REQUESTS
        || (OVERLOADED.contains(&status) && server_wish::in_headers(headers, now).is_none())
}

/// What follows an attempt that ended as `outcome`. At most one jitter is drawn from `random`.
pub fn decide(
    settings: &Settings,
    situation: &Situation<'_>,
    outcome: &Outcome<'_>,
    random: &mut impl Rng,
) -> Verdict {
    match *outcome {
        Outcome::Answer { status, headers, body, arrived, arrived_wall } => {
            if !settings.retry_on.contains(status) {
                return Verdict::End(Reason::Answered);
            }
            let asked = server_wish::in_headers(headers, arrived_wall);
            if is_forbidden(headers)
                || (status == TOO_MANY_REQUESTS && is_incurable(body))
                || !may_repeat_answered(settings, situation, status, asked.is_some())
            {
                return Verdict::End(Reason::NotRetryable);
            }
            if is_last(settings, situation) {
                return Verdict::Exhausted;
            }
            match asked.or_else(|| server_wish::elsewhere(headers, body, arrived_wall)) {
                Some(wish) => obey(settings, situation, arrived, wish, random),
                None => back_off(settings, situation, Reason::Backoff, random),
            }
        }
        Outcome::Failure(failure) => {
            if failure.is_permanent() || !(failure.unsent || may_repeat_unanswered(settings, situation)) {
                return Verdict::End(Reason::NotRetryable);
            }
            if is_last(settings, situation) {
                return Verdict::Exhausted;
            }
            back_off(settings, situation, Reason::Network, random)
        }
    }
}

fn is_last(settings: &Settings, situation: &Situation<'_>) -> bool {
    situation.attempt >= settings.max_attempts
}

fn is_forbidden(headers: &HeaderMap) -> bool {
    let mut values = SHOULD_RETRY.iter().flat_map(|name| headers.get_all(*name));
    values.any(|value| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"false"))
}

/// A 429 that waiting cannot cure.
pub(crate) fn is_incurable(body: &[u8]) -> bool {
    ErrorBody::parse(body).is_some_and(|body| body.is_incurable())
}

/// Whether a request whose answer is retryable may be sent again. Where keys are switched off, a
/// 5xx may have done its work, unless it says that it did not or invites a repetition.
fn may_repeat_answered(settings: &Settings, situation: &Situation<'_>, status: u16, invited: bool) -> bool {
    let keyed = settings.idempotency_key || situation.key != KeyOrigin::Absent;
    let did_no_work = !(500..=599).contains(&status) || OVERLOADED.contains(&status) || invited;
    keyed || settings.retry_unsafe || is_idempotent(situation.method) || did_no_work
}

/// Whether a request that may have reached the server without an answer may be sent again. A key
/// of ours does not count: nothing tells that this server honours it, whereas the caller who sets one knows.
fn may_repeat_unanswered(settings: &Settings, situation: &Situation<'_>) -> bool {
    settings.retry_unsafe || situation.key == KeyOrigin::Callers || is_idempotent(situation.method)
}

/// Waits as the server wished, at most `max_retry_after`. The deadline is held against the whole
/// wish: to wait the capped part, only to be refused again, would waste what time is left.
fn obey(
    settings: &Settings,
    situation: &Situation<'_>,
    arrived: Timestamp,
    wish: Duration,
    random: &mut impl Rng,
) -> Verdict {
    if let Some(verdict) = over_budget(situation, arrived.after(wish)) {
        return verdict;
    }
    let capped = arrived.after(wish.min(settings.max_retry_after));
    let due = capped.after(settings.backoff.draw_jitter(random)).max(situation.now);
    over_budget(situation, due).unwrap_or(Verdict::Retry { due, reason: Reason::RetryAfter })
}

fn back_off(
    settings: &Settings,
    situation: &Situation<'_>,
    reason: Reason,
    random: &mut impl Rng,
) -> Verdict {
    let backoff = &settings.backoff;
    let due = situation.now.after(backoff.after(situation.attempt)).after(backoff.draw_jitter(random));
    over_budget(situation, due).unwrap_or(Verdict::Retry { due, reason })
}

/// The verdict when a wait until `end` leaves no time before the deadline.
fn over_budget(situation: &Situation<'_>, end: Timestamp) -> Option<Verdict> {
    let deadline = situation.deadline.filter(|deadline| end >= *deadline)?;
    let now = situation.now;
    Some(Verdict::OverBudget { needed: end.since(now), left: deadline.since(now) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use http::{HeaderName, HeaderValue};
    use rand::{SeedableRng, rngs::StdRng};
    use std::time::UNIX_EPOCH;

    /// When the headers arrived. The decision is asked `LATER` afterwards.
    const ARRIVED: u64 = 1_000_000_000_000;
    const LATER: u64 = 400_000_000;
    const SECOND: u64 = 1_000_000_000;

    const DAILY: &str = r#"{"error":{"code":"insufficient_quota"}}"#;
    const USED_UP: [(&str, &str); 2] = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "5")];
    const GOOGLE: &str =
        r#"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}}"#;

    /// One question; the defaults are a first attempt of a GET with jitter 0 and no deadline.
    struct Case {
        options: Options,
        method: Method,
        key: KeyOrigin,
        attempt: u32,
        /// Nanoseconds after the headers' arrival.
        deadline: Option<u64>,
    }

    impl Default for Case {
        fn default() -> Self {
            let options = Options { jitter: 0.0, ..Options::default() };
            Self { options, method: Method::GET, key: KeyOrigin::Absent, attempt: 1, deadline: None }
        }
    }

    impl Case {
        fn post(key: KeyOrigin) -> Self {
            Self { method: Method::POST, key, ..Self::default() }
        }

        fn keyless(mut self) -> Self {
            self.options.idempotency_key = false;
            self
        }

        fn unsafely(mut self) -> Self {
            self.options.retry_unsafe = true;
            self
        }

        fn attempt(mut self, attempt: u32) -> Self {
            self.attempt = attempt;
            self
        }

        fn until(mut self, deadline: u64) -> Self {
            self.deadline = Some(deadline);
            self
        }

        fn ask(&self, outcome: &Outcome<'_>) -> Verdict {
            let situation = Situation {
                method: &self.method,
                attempt: self.attempt,
                key: self.key,
                now: Timestamp::from_nanos(ARRIVED + LATER),
                deadline: self.deadline.map(|nanos| Timestamp::from_nanos(ARRIVED + nanos)),
            };
            decide(&self.options.validate().unwrap(), &situation, outcome, &mut StdRng::seed_from_u64(1))
        }

        fn answer(&self, status: u16, lines: &[(&str, &str)], body: &str) -> Verdict {
            self.ask(&Outcome::Answer {
                status,
                headers: &headers(lines),
                body: body.as_bytes(),
                arrived: Timestamp::from_nanos(ARRIVED),
                arrived_wall: UNIX_EPOCH + Duration::from_secs(1_696_004_797),
            })
        }

        fn failure(&self, kind: FailureKind, unsent: bool) -> Verdict {
            self.ask(&Outcome::Failure(Failure { kind, unsent, permanent: false }))
        }
    }

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let named = |(name, value): &(&str, &str)| {
            (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
        };
        lines.iter().map(named).collect()
    }

    /// Waited by the server's wish, counted from the headers' arrival.
    fn wished(nanos: u64) -> Verdict {
        Verdict::Retry { due: Timestamp::from_nanos(ARRIVED + nanos), reason: Reason::RetryAfter }
    }

    /// Waited for the own backoff, counted from the decision.
    fn backed_off(nanos: u64) -> Verdict {
        Verdict::Retry { due: Timestamp::from_nanos(ARRIVED + LATER + nanos), reason: Reason::Backoff }
    }

    fn networked(nanos: u64) -> Verdict {
        Verdict::Retry { due: Timestamp::from_nanos(ARRIVED + LATER + nanos), reason: Reason::Network }
    }

    fn over(needed: u64, left: u64) -> Verdict {
        Verdict::OverBudget { needed: Duration::from_nanos(needed), left: Duration::from_nanos(left) }
    }

    const NOT_RETRYABLE: Verdict = Verdict::End(Reason::NotRetryable);
    const ANSWERED: Verdict = Verdict::End(Reason::Answered);
    const HALF: u64 = SECOND / 2;

    #[test]
    fn statuses() {
        for status in [429, 500, 501, 502, 503, 504, 505, 520, 529, 599] {
            for method in ["GET", "HEAD", "PUT", "DELETE", "POST", "PATCH", "PROPFIND"] {
                let method = Method::from_bytes(method.as_bytes()).unwrap();
                let case = Case { method, ..Case::default() };
                assert_eq!(case.answer(status, &[], ""), backed_off(HALF), "{status}");
            }
        }
        for status in
            [100, 200, 204, 301, 304, 400, 401, 402, 403, 404, 408, 409, 413, 425, 428, 430, 600, 999]
        {
            let verdict =
                Case::default().answer(status, &[("retry-after", "1"), ("x-should-retry", "true")], "");
            assert_eq!(verdict, ANSWERED, "{status}");
        }
    }

    #[test]
    fn a_server_can_forbid_but_not_add() {
        for (name, value, verdict) in [
            ("x-should-retry", "false", NOT_RETRYABLE),
            ("x-should-retry", " FALSE ", NOT_RETRYABLE),
            ("stripe-should-retry", "false", NOT_RETRYABLE),
            ("x-should-retry", "true", backed_off(HALF)),
            ("x-should-retry", "no", backed_off(HALF)),
            ("x-should-retry", "0", backed_off(HALF)),
            ("x-should-retry", "", backed_off(HALF)),
        ] {
            assert_eq!(Case::default().answer(503, &[(name, value)], ""), verdict, "{name}: {value}");
            assert_eq!(Case::default().answer(404, &[(name, value)], ""), ANSWERED, "{name}: {value}");
        }
        let lines = [("x-should-retry", "true"), ("x-should-retry", "false")];
        assert_eq!(Case::default().answer(503, &lines, ""), NOT_RETRYABLE);
    }

    #[test]
    fn a_429_that_waiting_cannot_cure_ends() {
        let after = [("retry-after", "1")];
        assert_eq!(Case::default().answer(429, &after, DAILY), NOT_RETRYABLE);
        assert_eq!(Case::default().unsafely().answer(429, &after, DAILY), NOT_RETRYABLE);
        // Only of a 429 is that known.
        assert_eq!(Case::default().answer(503, &after, DAILY), wished(SECOND));
        assert_eq!(Case::default().answer(429, &after, &DAILY[..DAILY.len() - 1]), wished(SECOND));
    }

    #[test]
    fn without_keys_only_harmless_5xx_repeat_a_post() {
        let keyless = || Case::post(KeyOrigin::Absent).keyless();
        let after = [("retry-after", "1")];
        for status in [500, 501, 502, 504, 599] {
            assert_eq!(keyless().answer(status, &[], ""), NOT_RETRYABLE, "{status}");
            assert_eq!(keyless().answer(status, &[("retry-after", "0")], ""), NOT_RETRYABLE, "{status}");
            assert_eq!(keyless().answer(status, &[("retry-after", "junk")], ""), NOT_RETRYABLE, "{status}");
            assert_eq!(keyless().answer(status, &after, ""), wished(SECOND), "{status}");
            // Quota headers do not invite a repetition.
            assert_eq!(keyless().answer(status, &USED_UP, ""), NOT_RETRYABLE, "{status}");
            assert_eq!(keyless().unsafely().answer(status, &[], ""), backed_off(HALF), "{status}");
            assert_eq!(Case::default().keyless().answer(status, &[], ""), backed_off(HALF), "{status}");
            let keyed = Case::post(KeyOrigin::Callers).keyless();
            assert_eq!(keyed.answer(status, &[], ""), backed_off(HALF), "{status}");
        }
        for status in [429, 503, 529] {
            assert_eq!(keyless().answer(status, &[], ""), backed_off(HALF), "{status}");
        }
        for method in ["PATCH", "PROPFIND", "LOCK"] {
            let case = Case { method: Method::from_bytes(method.as_bytes()).unwrap(), ..keyless() };
            assert_eq!(case.answer(500, &[], ""), NOT_RETRYABLE, "{method}");
        }
        // A status the caller adds is none of the 5xx.
        let mut case = keyless();
        let mut statuses = crate::status::StatusSet::empty();
        statuses.insert(409).unwrap();
        case.options.retry_on = Some(statuses);
        assert_eq!(case.answer(409, &[], ""), backed_off(HALF));
    }

    #[test]
    fn failures() {
        use FailureKind::{Connect, Dns, Protocol, Redirect, Reset, Sink, Timeout, Tls, TooLarge};
        let post = || Case::post(KeyOrigin::Ours);
        for kind in [Dns, Connect, Tls, Timeout, Reset, Protocol] {
            // Unsent: every method.
            assert_eq!(Case::default().failure(kind, true), networked(HALF), "{kind:?}");
            assert_eq!(post().failure(kind, true), networked(HALF), "{kind:?}");
            assert_eq!(post().keyless().failure(kind, true), networked(HALF), "{kind:?}");
            // Perhaps sent: idempotent, the caller's key or retryUnsafe; a key of ours is not enough.
            assert_eq!(Case::default().failure(kind, false), networked(HALF), "{kind:?}");
            assert_eq!(post().failure(kind, false), NOT_RETRYABLE, "{kind:?}");
            assert_eq!(Case::post(KeyOrigin::Absent).failure(kind, false), NOT_RETRYABLE, "{kind:?}");
            assert_eq!(Case::post(KeyOrigin::Callers).failure(kind, false), networked(HALF), "{kind:?}");
            assert_eq!(post().unsafely().failure(kind, false), networked(HALF), "{kind:?}");
            let permanent = Outcome::Failure(Failure { kind, unsent: true, permanent: true });
            assert_eq!(Case::default().unsafely().ask(&permanent), NOT_RETRYABLE, "{kind:?}");
        }
        for kind in [TooLarge, Redirect, Sink] {
            assert_eq!(Case::default().unsafely().failure(kind, true), NOT_RETRYABLE, "{kind:?}");
        }
        for (method, verdict) in [
            ("PUT", networked(HALF)),
            ("DELETE", networked(HALF)),
            ("OPTIONS", networked(HALF)),
            ("PATCH", NOT_RETRYABLE),
            ("PROPFIND", NOT_RETRYABLE),
        ] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let case = Case { method, ..Case::default() };
            assert_eq!(case.failure(Reset, false), verdict);
        }
    }

    #[test]
    fn waits() {
        let after = |value| [("retry-after", value)];
        let case = Case::default;
        for (verdict, expected) in [
            (case().attempt(2).answer(500, &[], ""), backed_off(SECOND)),
            (case().attempt(4).answer(500, &[], ""), backed_off(4 * SECOND)),
            (case().answer(429, &after("20"), ""), wished(20 * SECOND)),
            // Shorter than the backoff is a wish too.
            (case().attempt(4).answer(429, &after("1"), ""), wished(SECOND)),
            (case().answer(429, &after("30"), ""), wished(30 * SECOND)),
            (case().answer(429, &after("31"), ""), wished(30 * SECOND)),
            (case().answer(429, &after("99999999999999999999999999"), ""), wished(30 * SECOND)),
            (case().answer(429, &after("Fri, 29 Sep 2023 16:26:57 GMT"), ""), wished(20 * SECOND)),
            (case().answer(429, &after("0"), ""), backed_off(HALF)),
            (case().answer(429, &after("Fri, 29 Sep 2023 16:26:27 GMT"), ""), backed_off(HALF)),
            (case().answer(429, &after("junk"), ""), backed_off(HALF)),
            (case().answer(429, &[], GOOGLE), wished(7 * SECOND)),
            (case().answer(503, &[], GOOGLE), wished(7 * SECOND)),
            (case().answer(429, &after("3"), GOOGLE), wished(3 * SECOND)),
            (case().answer(429, &after("junk"), GOOGLE), wished(7 * SECOND)),
            // Quota headers come after headers and body.
            (case().answer(429, &USED_UP, ""), wished(5 * SECOND)),
            (case().answer(500, &USED_UP, ""), wished(5 * SECOND)),
            (case().answer(429, &[USED_UP[0], ("x-ratelimit-reset", "3600")], ""), wished(30 * SECOND)),
            (case().answer(429, &[&after("3")[..], &USED_UP].concat(), GOOGLE), wished(3 * SECOND)),
            (case().answer(429, &[&after("junk")[..], &USED_UP].concat(), ""), wished(5 * SECOND)),
            (case().answer(429, &USED_UP, GOOGLE), wished(7 * SECOND)),
            (case().answer(429, &[("x-ratelimit-remaining", "1"), USED_UP[1]], ""), backed_off(HALF)),
            (case().answer(429, &[USED_UP[0]], ""), backed_off(HALF)),
            // Already over when the decision is asked: at once, never in the past.
            (case().answer(429, &[("retry-after-ms", "100")], ""), wished(LATER)),
        ] {
            assert_eq!(verdict, expected);
        }
    }

    #[test]
    fn jitter_is_added_to_every_wait() {
        for (verdict, start) in [
            (jittery().answer(500, &[], ""), ARRIVED + LATER + HALF),
            (jittery().answer(429, &[("retry-after", "2")], ""), ARRIVED + 2 * SECOND),
            (jittery().answer(429, &[("retry-after", "99")], ""), ARRIVED + 30 * SECOND),
            (jittery().failure(FailureKind::Reset, false), ARRIVED + LATER + HALF),
        ] {
            let Verdict::Retry { due, .. } = verdict else { panic!("{verdict:?}") };
            assert!(due > Timestamp::from_nanos(start), "{verdict:?}");
            assert!(due <= Timestamp::from_nanos(start + SECOND / 4), "{verdict:?}");
        }
    }

    fn jittery() -> Case {
        Case { options: Options::default(), ..Case::default() }
    }

    #[test]
    fn deadlines() {
        let after = |value| [("retry-after", value)];
        let until = |nanos| Case::default().until(nanos);
        for (verdict, expected) in [
            // The backoff of 0.5 s ends 0.9 s after the arrival.
            (until(LATER + HALF + 1).answer(500, &[], ""), backed_off(HALF)),
            (until(LATER + HALF).answer(500, &[], ""), over(HALF, HALF)),
            (until(LATER + 1).answer(500, &[], ""), over(HALF, 1)),
            (until(LATER).answer(500, &[], ""), over(HALF, 0)),
            (until(0).answer(500, &[], ""), over(HALF, 0)),
            (until(SECOND).failure(FailureKind::Reset, false), networked(HALF)),
            (until(LATER).failure(FailureKind::Reset, false), over(HALF, 0)),
            // The wish of 20 s ends 20 s after the arrival.
            (until(20 * SECOND + 1).answer(429, &after("20"), ""), wished(20 * SECOND)),
            (
                until(20 * SECOND).answer(429, &after("20"), ""),
                over(20 * SECOND - LATER, 20 * SECOND - LATER),
            ),
            // Uncapped: 30 s would fit, the hour that was named does not.
            (
                until(60 * SECOND).answer(429, &after("3600"), ""),
                over(3600 * SECOND - LATER, 60 * SECOND - LATER),
            ),
            (until(60 * SECOND).answer(429, &after("59"), ""), wished(30 * SECOND)),
            (
                until(60 * SECOND).answer(429, &[], &GOOGLE.replace("7s", "61s")),
                over(61 * SECOND - LATER, 60 * SECOND - LATER),
            ),
            (
                until(60 * SECOND).answer(429, &[USED_UP[0], ("x-ratelimit-reset", "61")], ""),
                over(61 * SECOND - LATER, 60 * SECOND - LATER),
            ),
            // An endless wish needs the rest of time.
            (
                until(60 * SECOND).answer(429, &after("99999999999999999999999999"), ""),
                over(u64::MAX - ARRIVED - LATER, 60 * SECOND - LATER),
            ),
            // The wish is over, the deadline too.
            (until(LATER).answer(429, &[("retry-after-ms", "100")], ""), over(0, 0)),
        ] {
            assert_eq!(verdict, expected);
        }
    }

    #[test]
    fn jitter_past_the_deadline_is_over_budget() {
        let verdict = Case { options: Options::default(), ..Case::default().until(2 * SECOND + 1) }.answer(
            429,
            &[("retry-after", "2")],
            "",
        );
        let Verdict::OverBudget { needed, left } = verdict else { panic!("{verdict:?}") };
        assert!(needed >= left && needed <= left + Duration::from_millis(250), "{verdict:?}");
    }

    #[test]
    fn which_check_wins() {
        let last = || Case::default().attempt(5);
        let long = [("retry-after", "3600")];
        assert_eq!(last().answer(429, &[], ""), Verdict::Exhausted);
        assert_eq!(last().attempt(6).answer(429, &[], ""), Verdict::Exhausted);
        assert_eq!(last().until(SECOND).answer(429, &long, ""), Verdict::Exhausted);
        assert_eq!(last().answer(429, &[], DAILY), NOT_RETRYABLE);
        assert_eq!(last().answer(503, &[("x-should-retry", "false")], ""), NOT_RETRYABLE);
        assert_eq!(last().until(SECOND).answer(404, &long, ""), ANSWERED);
        assert_eq!(Case::default().until(SECOND).answer(429, &long, DAILY), NOT_RETRYABLE);
        assert_eq!(last().failure(FailureKind::Reset, false), Verdict::Exhausted);
        assert_eq!(last().until(0).failure(FailureKind::Reset, true), Verdict::Exhausted);
        assert_eq!(Case::post(KeyOrigin::Ours).attempt(5).failure(FailureKind::Reset, false), NOT_RETRYABLE);
        let single = Case { options: Options { max_attempts: 1, ..Options::default() }, ..Case::default() };
        assert_eq!(single.answer(429, &[], ""), Verdict::Exhausted);
    }

    #[test]
    fn bodies_that_are_wanted() {
        let settings = Options::default().validate().unwrap();
        let wants =
            |status, lines: &[(&str, &str)]| wants_body(&settings, status, &headers(lines), UNIX_EPOCH);
        let after = [("retry-after", "1")];
        let junk = [("retry-after", "junk")];
        let forbidden = [("x-should-retry", "false")];
        for (status, lines, wanted) in [
            (429, &[][..], true),
            (429, &after, true),
            (429, &forbidden, false),
            (503, &[], true),
            (503, &junk, true),
            (503, &after, false),
            (503, &forbidden, false),
            (503, &USED_UP, true),
            (529, &USED_UP, true),
            (500, &USED_UP, false),
            (529, &[], true),
            (529, &after, false),
            (500, &[], false),
            (502, &[], false),
            (200, &[], false),
            (404, &[], false),
        ] {
            assert_eq!(wants(status, lines), wanted, "{status} {lines:?}");
        }
        let none = Options { retry_on: Some(crate::status::StatusSet::empty()), ..Options::default() };
        assert!(!wants_body(&none.validate().unwrap(), 429, &headers(&[]), UNIX_EPOCH));
    }
}
