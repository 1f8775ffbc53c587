//! Idempotency keys: which requests carry one, and which may be sent again without an answer.

use client::{Call, VirtualClock};
use http::{HeaderValue, Method};
use policy::{FailureKind, Options, Reason};

use crate::support::{
    call, failed, options, reasons, response,
    scripts::{Scripted, play},
    with_header,
};

const KEY: &str = "idempotency-key";

fn asked(method: &str, options: &Options) -> Call {
    call(Method::from_bytes(method.as_bytes()).unwrap(), "http://api.test/x", options)
}

fn keyless() -> Options {
    Options { idempotency_key: false, ..options() }
}

fn sent_keys(call: Call, answers: Vec<Scripted>) -> Vec<Option<HeaderValue>> {
    let (_, requests) = play(call, &VirtualClock::starting_now(), answers);
    requests.iter().map(|request| request.headers.get(KEY).cloned()).collect()
}

fn two() -> Vec<Scripted> {
    vec![Ok(response(503, &[], "")), Ok(response(200, &[], ""))]
}

#[test]
fn post_and_patch_carry_one_key_on_all_attempts_of_a_call() {
    for method in ["POST", "PATCH"] {
        let keys = sent_keys(asked(method, &options()), two());
        let first = keys[0].clone().unwrap();
        assert_eq!(keys, [Some(first.clone()), Some(first.clone())]);
        let text = first.to_str().unwrap();
        assert_eq!((text.len(), &text[14..15]), (36, "7"), "{text}");
        assert_ne!(sent_keys(asked(method, &options()), two())[0], Some(first), "another call's");
    }
}

#[test]
fn other_methods_get_none() {
    for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PROPFIND"] {
        assert_eq!(sent_keys(asked(method, &options()), two()), [None, None], "{method}");
    }
    assert_eq!(sent_keys(asked("POST", &keyless()), two()), [None, None]);
}

#[test]
fn the_callers_key_is_never_replaced() {
    for options in [options(), keyless()] {
        let call = with_header(asked("POST", &options), KEY, "mine");
        let mine = Some(HeaderValue::from_static("mine"));
        assert_eq!(sent_keys(call, two()), [mine.clone(), mine]);
    }
}

/// The reason of the first attempt, which is answered with `first`.
fn after(call: Call, first: Scripted) -> Reason {
    let goes_on = {
        let (ended, _) = play(only_once(&call), &VirtualClock::starting_now(), vec![first.clone()]);
        // With one attempt what may be sent again is exhausted; what may not is not retryable.
        reasons(&ended.attempts)[0] == Reason::AttemptsExhausted
    };
    let mut answers = vec![first];
    if goes_on {
        answers.push(Ok(response(200, &[], "")));
    }
    reasons(&play(call, &VirtualClock::starting_now(), answers).0.attempts)[0]
}

fn only_once(call: &Call) -> Call {
    let mut once = call.clone();
    let mut settings = (*once.settings).clone();
    settings.max_attempts = 1;
    once.settings = settings.into();
    once
}

#[test]
fn without_any_key_only_a_harmless_5xx_repeats_a_post() {
    for method in ["POST", "PATCH", "PROPFIND"] {
        for (status, headers, reason) in [
            (500, &[][..], Reason::NotRetryable),
            (502, &[], Reason::NotRetryable),
            (504, &[], Reason::NotRetryable),
            (500, &[("retry-after", "soon")], Reason::NotRetryable),
            (500, &[("retry-after", "1")], Reason::RetryAfter),
            (503, &[], Reason::Backoff),
            (529, &[], Reason::Backoff),
            (429, &[], Reason::Backoff),
        ] {
            let got = after(asked(method, &keyless()), Ok(response(status, headers, "")));
            assert_eq!(got, reason, "{method} {status} {headers:?}");
        }
    }
    let unsafely = Options { retry_unsafe: true, ..keyless() };
    assert_eq!(after(asked("POST", &unsafely), Ok(response(500, &[], ""))), Reason::Backoff);
    let keyed = with_header(asked("POST", &keyless()), KEY, "mine");
    assert_eq!(after(keyed, Ok(response(500, &[], ""))), Reason::Backoff);
    assert_eq!(after(asked("PUT", &keyless()), Ok(response(500, &[], ""))), Reason::Backoff);
}

#[test]
fn with_a_key_of_ours_every_retryable_status_repeats_a_post() {
    for status in [429, 500, 502, 503, 504, 529] {
        assert_eq!(after(asked("POST", &options()), Ok(response(status, &[], ""))), Reason::Backoff);
    }
}

#[test]
fn what_a_redirect_answered_counts_as_sent() {
    // The POST has done its work, and what it led to could not be reached.
    let answers =
        vec![Ok(response(303, &[("location", "/done")], "")), Err(failed(FailureKind::Connect, true))];
    let (ended, requests) = play(asked("POST", &options()), &VirtualClock::starting_now(), answers);
    assert_eq!(requests.len(), 2);
    assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
}

#[test]
fn without_a_response_only_what_is_safe_is_sent_again() {
    let reset = |unsent| Err(failed(FailureKind::Reset, unsent));
    let unsafely = Options { retry_unsafe: true, ..options() };
    for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"] {
        assert_eq!(after(asked(method, &options()), reset(false)), Reason::Network, "{method}");
    }
    for method in ["POST", "PATCH", "PROPFIND"] {
        // A key of ours tells nothing of what this server does with it.
        assert_eq!(after(asked(method, &options()), reset(false)), Reason::NotRetryable, "{method}");
        assert_eq!(after(asked(method, &keyless()), reset(false)), Reason::NotRetryable, "{method}");
        assert_eq!(after(asked(method, &options()), reset(true)), Reason::Network, "{method}");
        assert_eq!(after(asked(method, &unsafely), reset(false)), Reason::Network, "{method}");
        let keyed = with_header(asked(method, &options()), KEY, "mine");
        assert_eq!(after(keyed, reset(false)), Reason::Network, "{method}");
    }
}
