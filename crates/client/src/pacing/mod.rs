//! What is known about a limit, asked before each send and told of each answer.
//!
//! So far a process knows only its own refusals: one that names a time shuts the **gate** of its key
//! until then, and an answer opens it again.

mod key;

use std::{cell::RefCell, collections::HashMap, rc::Rc, time::Duration};

use policy::{Outcome, Timestamp, server_wish};

pub(crate) use key::Key;

/// No refusal is believed for longer.
const MAX_SHUT: Duration = Duration::from_secs(60 * 60);

/// Keys remembered at once; refusals of further ones hold back only their own call.
const MAX_GATES: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    Open,
    Shut { until: Timestamp },
}

/// Whose refusal shut a gate: a call that waited for its own is let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caller(u64);

/// The knowledge of one process (one thread on ZTS), or of one virtual clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pacing {
    known: Rc<RefCell<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    gates: HashMap<Key, (Timestamp, Caller)>,
    callers: u64,
}

impl Pacing {
    pub(crate) fn new_caller(&self) -> Caller {
        let mut known = self.known.borrow_mut();
        known.callers += 1;
        Caller(known.callers)
    }

    /// Whether a request of this key may be sent now. The key is made only if anything is shut.
    pub(crate) fn acquire(&self, key: impl FnOnce() -> Key, caller: Caller, now: Timestamp) -> Gate {
        let known = self.known.borrow();
        if known.gates.is_empty() {
            return Gate::Open;
        }
        match known.gates.get(&key()) {
            Some(&(until, by)) if until > now && by != caller => Gate::Shut { until },
            _ => Gate::Open,
        }
    }

    /// What came back for a request of this key.
    pub(crate) fn observe(&self, key: impl FnOnce() -> Key, caller: Caller, outcome: &Outcome<'_>) {
        let Outcome::Answer { status, arrived, .. } = *outcome else { return };
        let mut known = self.known.borrow_mut();
        match refusal(outcome) {
            Some(wish) => {
                known.gates.retain(|_, (until, _)| *until > arrived);
                if known.gates.len() < MAX_GATES {
                    known.gates.insert(key(), (arrived.after(wish.min(MAX_SHUT)), caller));
                }
            }
            None if known.gates.is_empty() || is_refusal(status) || status >= 500 => {}
            None => {
                known.gates.remove(&key());
            }
        }
    }
}

/// The wish of an answer that says "too much, come back then".
fn refusal(outcome: &Outcome<'_>) -> Option<Duration> {
    match *outcome {
        Outcome::Answer { status, headers, body, arrived_wall, .. } if is_refusal(status) => {
            server_wish::in_headers(headers, arrived_wall).or_else(|| server_wish::in_body(body))
        }
        _ => None,
    }
}

const fn is_refusal(status: u16) -> bool {
    matches!(status, 429 | 503 | 529)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use http::HeaderMap;

    use super::*;

    fn key() -> Key {
        Key::named("k")
    }

    fn seconds(n: u64) -> Timestamp {
        Timestamp::from_nanos(n * 1_000_000_000)
    }

    fn observe(pacing: &Pacing, caller: Caller, status: u16, retry_after: Option<&str>) {
        let headers: HeaderMap = retry_after
            .map(|value| (http::header::RETRY_AFTER, value.parse().unwrap()))
            .into_iter()
            .collect();
        let outcome = Outcome::Answer {
            status,
            headers: &headers,
            body: &[],
            arrived: seconds(100),
            arrived_wall: SystemTime::UNIX_EPOCH,
        };
        pacing.observe(key, caller, &outcome);
    }

    #[test]
    fn a_refusal_with_a_time_shuts_the_gate_for_the_others_only() {
        let pacing = Pacing::default();
        let (one, two) = (pacing.new_caller(), pacing.new_caller());
        observe(&pacing, one, 429, Some("20"));
        assert_eq!(pacing.acquire(key, one, seconds(101)), Gate::Open);
        assert_eq!(pacing.acquire(key, two, seconds(101)), Gate::Shut { until: seconds(120) });
        assert_eq!(pacing.acquire(key, two, seconds(120)), Gate::Open);
        assert_eq!(pacing.acquire(|| Key::named("other"), two, seconds(101)), Gate::Open);
    }

    #[test]
    fn an_answer_opens_it_and_a_server_error_does_not() {
        let pacing = Pacing::default();
        let (one, two) = (pacing.new_caller(), pacing.new_caller());
        observe(&pacing, one, 503, Some("20"));
        observe(&pacing, two, 500, None);
        observe(&pacing, two, 429, None);
        assert!(matches!(pacing.acquire(key, two, seconds(101)), Gate::Shut { .. }));
        observe(&pacing, two, 401, None);
        assert_eq!(pacing.acquire(key, two, seconds(101)), Gate::Open);
    }

    #[test]
    fn no_refusal_is_believed_for_more_than_an_hour() {
        let pacing = Pacing::default();
        let (one, two) = (pacing.new_caller(), pacing.new_caller());
        observe(&pacing, one, 429, Some("99999999999999999999999"));
        assert_eq!(pacing.acquire(key, two, seconds(101)), Gate::Shut { until: seconds(3700) });
    }

    #[test]
    fn a_bare_refusal_and_a_plain_500_shut_nothing() {
        let pacing = Pacing::default();
        let (one, two) = (pacing.new_caller(), pacing.new_caller());
        observe(&pacing, one, 429, None);
        observe(&pacing, one, 500, Some("20"));
        assert_eq!(pacing.acquire(key, two, seconds(101)), Gate::Open);
    }
}
