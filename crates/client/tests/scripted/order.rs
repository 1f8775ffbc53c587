//! Which steps a call asks for, in which order, and what it waits in between.

use std::time::Duration;

use client::{Hooks, VirtualClock};
use http::Method;
use policy::{FailureKind, Options, Reason, status::StatusSet};

use crate::support::{
    all_hooks, call,
    ends::{answer, failure, gave_up},
    failed, get, ms, options, reasons, response,
    scripts::{play, play_with},
    seconds, statuses, waits,
};

#[test]
fn five_429s_wait_four_times_and_give_the_last_one_back() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let answers = (0..5).map(|n| Ok(response(429, &[], &format!("no {n}")))).collect();
    let (ended, requests) = play(call(Method::POST, "http://api.test/x", &options()), &clock, answers);
    assert_eq!(waits(&ended.attempts), [ms(500), ms(1000), ms(2000), ms(4000), ms(0)]);
    assert_eq!(ended.waited, ms(7500));
    assert_eq!(ended.elapsed, ms(7500));
    assert_eq!(clock.now().since(start), ms(7500));
    assert_eq!(reasons(&ended.attempts)[..4], [Reason::Backoff; 4]);
    assert_eq!(reasons(&ended.attempts)[4], Reason::AttemptsExhausted);
    assert_eq!(statuses(&ended.attempts), [Some(429); 5]);
    assert_eq!(ended.attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert_eq!(requests.len(), 5);
    assert_eq!(gave_up(ended).body, "no 4");
}

#[test]
fn a_401_costs_one_request() {
    let clock = VirtualClock::starting_now();
    let (ended, requests) =
        play(get("http://api.test/x", &options()), &clock, vec![Ok(response(401, &[], "who?"))]);
    assert_eq!(requests.len(), 1);
    assert_eq!(reasons(&ended.attempts), [Reason::Answered]);
    assert_eq!(ended.elapsed, Duration::ZERO);
    let answer = answer(ended);
    assert_eq!((answer.status, answer.body.to_vec().as_slice()), (401, &b"who?"[..]));
}

#[test]
fn the_order_of_all_steps() {
    let clock = VirtualClock::starting_now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = all_hooks();
    let answers = vec![
        Ok(response(503, &[], "")),
        Err(failed(FailureKind::Reset, false)),
        Ok(response(200, &[], "here")),
    ];
    let played = play_with(asked, &clock, answers, |_, _| false);
    let round = ["attempt", "exchange", "outcome", "retry"];
    assert_eq!(played.names(), [&round[..], &round[..], &round[..3]].concat());
    assert_eq!(reasons(&played.ended.attempts), [Reason::Backoff, Reason::Network, Reason::Answered]);
    assert_eq!(waits(&played.ended.attempts), [ms(500), ms(1000), ms(0)]);
}

#[test]
fn a_hook_that_is_not_wanted_is_not_asked() {
    let one = |hooks: Hooks| {
        let mut asked = get("http://api.test/x", &options());
        asked.hooks = hooks;
        let answers = vec![Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
        play_with(asked, &VirtualClock::starting_now(), answers, |_, _| false).names()
    };
    let none = Hooks::default();
    assert_eq!(one(none), ["exchange", "exchange"]);
    assert_eq!(one(Hooks { attempt: true, ..none }), ["attempt", "exchange", "attempt", "exchange"]);
    assert_eq!(one(Hooks { retry: true, ..none }), ["exchange", "retry", "exchange"]);
    assert_eq!(one(Hooks { outcome: true, ..none }), ["exchange", "outcome", "exchange", "outcome"]);
}

#[test]
fn a_wish_replaces_the_backoff_and_is_capped() {
    for (header, wait) in [
        (("retry-after", "1"), seconds(1)),
        (("retry-after", "29"), seconds(29)),
        (("retry-after", "31"), seconds(30)),
        (("retry-after", "99999999999999999999"), seconds(30)),
        (("retry-after-ms", "1500"), ms(1500)),
        (("retry-after", "soon"), ms(500)),
        (("retry-after", "0"), ms(500)),
        (("retry-after", "-1"), ms(500)),
    ] {
        let clock = VirtualClock::starting_now();
        let answers = vec![Ok(response(429, &[header], "")), Ok(response(200, &[], ""))];
        let (ended, _) = play(get("http://api.test/x", &options()), &clock, answers);
        assert_eq!(ended.attempts[0].wait, wait, "{header:?}");
        assert_eq!((ended.waited, ended.elapsed), (wait, wait), "{header:?}");
        let reason = if wait == ms(500) { Reason::Backoff } else { Reason::RetryAfter };
        assert_eq!(ended.attempts[0].reason, reason, "{header:?}");
    }
}

#[test]
fn a_wish_in_the_body_counts_and_the_last_response_tells_it_uncapped() {
    let google = r#"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"45.5s"}]}}"#;
    let clock = VirtualClock::starting_now();
    let answers = vec![Ok(response(429, &[], google)), Ok(response(429, &[], google))];
    let two = Options { max_attempts: 2, ..options() };
    let (ended, _) = play(get("http://api.test/x", &two), &clock, answers);
    assert_eq!(waits(&ended.attempts), [seconds(30), ms(0)]);
    assert_eq!(gave_up(ended).retry_after, Some(ms(45_500)));
}

#[test]
fn jitter_lies_between_zero_and_its_bound_and_varies() {
    let jittery = Options { jitter: 0.25, ..options() };
    let waits: Vec<Duration> = (0..40)
        .map(|_| {
            let clock = VirtualClock::starting_now();
            let answers = vec![Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
            let (ended, _) = play(get("http://api.test/x", &jittery), &clock, answers);
            assert_eq!(ended.elapsed, ended.attempts[0].wait);
            ended.attempts[0].wait
        })
        .collect();
    assert!(waits.iter().all(|wait| (ms(500)..=ms(750)).contains(wait)), "{waits:?}");
    assert!(waits.iter().max() > waits.iter().min(), "{waits:?}");
}

#[test]
fn one_attempt_waits_for_nothing() {
    let once = Options { max_attempts: 1, ..options() };
    let clock = VirtualClock::starting_now();
    let answers = vec![Ok(response(429, &[("retry-after", "20")], "later"))];
    let (ended, _) = play(get("http://api.test/x", &once), &clock, answers);
    assert_eq!((ended.waited, ended.elapsed), (Duration::ZERO, Duration::ZERO));
    assert_eq!(reasons(&ended.attempts), [Reason::AttemptsExhausted]);
    let last = gave_up(ended);
    assert_eq!((last.retry_after, last.body.to_vec().as_slice()), (Some(seconds(20)), &b"later"[..]));
}

#[test]
fn a_final_attempt_without_a_response_is_a_failure_even_after_answers() {
    let clock = VirtualClock::starting_now();
    let two = Options { max_attempts: 2, ..options() };
    let answers = vec![Ok(response(500, &[], "")), Err(failed(FailureKind::Timeout, false))];
    let (ended, _) = play(get("http://api.test/x", &two), &clock, answers);
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::AttemptsExhausted]);
    assert_eq!(statuses(&ended.attempts), [Some(500), None]);
    assert_eq!(ended.attempts[1].error.as_deref(), Some("broken"));
    assert_eq!(failure(ended), failed(FailureKind::Timeout, false));
}

#[test]
fn what_a_rule_stops_is_an_answer() {
    let quota = r#"{"error":{"code":"insufficient_quota"}}"#;
    for (status, headers, body) in [
        (503, &[("x-should-retry", "false")][..], ""),
        (429, &[("stripe-should-retry", "false")], ""),
        (429, &[("retry-after", "1")], quota),
    ] {
        let answers = vec![Ok(response(status, headers, body))];
        let (ended, _) = play(get("http://api.test/x", &options()), &VirtualClock::starting_now(), answers);
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable], "{status}");
        assert_eq!(answer(ended).status, status);
    }
}

#[test]
fn the_callers_statuses_replace_the_default() {
    let mut only = StatusSet::empty();
    only.insert(404).unwrap();
    let eventually = Options { retry_on: Some(only), ..options() };
    let answers = vec![Ok(response(404, &[], "")), Ok(response(503, &[], "down"))];
    let (ended, _) = play(get("http://api.test/x", &eventually), &VirtualClock::starting_now(), answers);
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::Answered]);
    assert_eq!(answer(ended).status, 503);
}

#[test]
fn what_no_repetition_mends_ends_at_once() {
    let permanent = client::Failed { permanent: true, ..failed(FailureKind::Tls, true) };
    for failure in [
        permanent,
        failed(FailureKind::TooLarge, false),
        failed(FailureKind::Redirect, false),
        failed(FailureKind::Sink, false),
    ] {
        let unsafely = Options { retry_unsafe: true, ..options() };
        let (ended, _) =
            play(get("http://api.test/x", &unsafely), &VirtualClock::starting_now(), vec![Err(failure)]);
        assert_eq!(reasons(&ended.attempts), [Reason::NotRetryable]);
        assert_eq!(ended.elapsed, Duration::ZERO);
    }
}
