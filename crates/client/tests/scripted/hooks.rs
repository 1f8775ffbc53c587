//! What the hooks are told, and what they change.

use std::time::Duration;

use client::{Hooks, Step, VirtualClock, runtime};
use http::{HeaderName, HeaderValue};
use policy::{FailureKind, Options, Reason};

use crate::support::{
    all_hooks,
    ends::{answer, failure, gave_up},
    failed, get, ms, options, reasons, response,
    scripts::{advance, play_with},
    seconds, waits, with_header,
};

fn header(name: &'static str, value: &'static str) -> (HeaderName, HeaderValue) {
    (HeaderName::from_static(name), HeaderValue::from_static(value))
}

#[test]
fn the_attempt_hook_adds_headers_to_its_own_attempt_only() {
    let clock = VirtualClock::starting_now();
    let mut asked = with_header(get("http://api.test/x", &options()), "x-trace", "none");
    asked.hooks = Hooks { attempt: true, ..Hooks::default() };
    let answers = vec![Ok(response(500, &[], "")), Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
    let mut numbers = Vec::new();
    let played = play_with(asked, &clock, answers, |id, step| {
        let Step::Attempt { number } = step else { return false };
        numbers.push(*number);
        if *number == 2 {
            runtime::answer_attempt(id, vec![header("x-trace", "a"), header("x-trace", "b")]);
        }
        *number == 2
    });
    assert_eq!(numbers, [1, 2, 3]);
    let traces: Vec<Vec<_>> =
        played.requests.iter().map(|request| request.headers.get_all("x-trace").iter().collect()).collect();
    assert_eq!(traces, [vec!["none"], vec!["a", "b"], vec!["none"]]);
}

#[test]
fn the_retry_hook_sees_the_attempt_and_its_wait_before_it_is_waited() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = Hooks { retry: true, ..Hooks::default() };
    let answers = vec![
        Ok(response(429, &[("retry-after", "7")], "")),
        Err(failed(FailureKind::Connect, true)),
        Ok(response(200, &[], "")),
    ];
    let mut seen = Vec::new();
    play_with(asked, &clock, answers, |_, step| {
        if let Step::Retry { attempt, wait } = step {
            assert_eq!(attempt.wait, *wait);
            let error = attempt.error.clone();
            seen.push((
                attempt.number,
                attempt.status,
                error,
                attempt.reason,
                *wait,
                clock.now().since(start),
            ));
        }
        false
    });
    assert_eq!(
        seen,
        [
            (1, Some(429), None, Reason::RetryAfter, seconds(7), ms(0)),
            (2, None, Some("broken".into()), Reason::Network, ms(1000), seconds(7)),
        ]
    );
}

#[test]
fn the_outcome_hook_sees_every_send_and_what_came_back() {
    let clock = VirtualClock::starting_now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = all_hooks();
    let answers = vec![
        Ok(response(429, &[("x-n", "1")], "wait")),
        Err(failed(FailureKind::Reset, false)),
        Ok(response(404, &[("x-n", "3")], "gone")),
    ];
    let mut seen = Vec::new();
    let played = play_with(asked, &clock, answers, |_, step| {
        if let Step::Outcome { attempts, response, waited, elapsed } = step {
            let response = response.as_ref();
            let number = response.map(|r| r.headers["x-n"].clone());
            let body = response.map(|r| r.body.clone());
            seen.push((attempts.clone(), number, body, *waited, *elapsed));
        }
        false
    });
    let all = played.ended.attempts;
    assert_eq!(waits(&all), [ms(500), ms(1000), ms(0)]);
    assert_eq!(
        seen,
        [
            (all[..1].to_vec(), Some("1".parse().unwrap()), Some("wait".into()), ms(0), ms(0)),
            (all[..2].to_vec(), None, None, ms(500), ms(500)),
            (all.clone(), Some("3".parse().unwrap()), Some("gone".into()), ms(1500), ms(1500)),
        ]
    );
}

#[test]
fn a_no_after_an_answer_gives_it_back() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = all_hooks();
    let answers = vec![Ok(response(503, &[], "a")), Ok(response(503, &[("retry-after", "9")], "b"))];
    let played = play_with(asked, &clock, answers, |id, step| match step {
        Step::Retry { attempt, .. } if attempt.number == 2 => {
            runtime::answer_retry(id, false);
            true
        }
        _ => false,
    });
    let round = ["attempt", "exchange", "outcome", "retry"];
    assert_eq!(played.names(), [round, round].concat());
    assert_eq!(clock.now().since(start), ms(500));
    assert_eq!(played.ended.waited, ms(500));
    assert_eq!(reasons(&played.ended.attempts), [Reason::Backoff, Reason::Stopped]);
    assert_eq!(waits(&played.ended.attempts), [ms(500), ms(0)]);
    let last = gave_up(played.ended);
    assert_eq!(
        (last.status, last.body.to_vec().as_slice(), last.retry_after),
        (503, &b"b"[..], Some(seconds(9)))
    );
}

#[test]
fn a_no_after_a_failure_rethrows_it() {
    let clock = VirtualClock::starting_now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = Hooks { retry: true, ..Hooks::default() };
    let answers = vec![Ok(response(500, &[], "")), Err(failed(FailureKind::Dns, true))];
    let played = play_with(asked, &clock, answers, |id, step| match step {
        Step::Retry { attempt, .. } if attempt.status.is_none() => {
            runtime::answer_retry(id, false);
            true
        }
        _ => false,
    });
    assert_eq!(reasons(&played.ended.attempts), [Reason::Backoff, Reason::Stopped]);
    assert_eq!(waits(&played.ended.attempts), [ms(500), ms(0)]);
    assert_eq!(failure(played.ended), failed(FailureKind::Dns, true));
}

#[test]
fn what_ends_a_call_asks_no_retry_hook() {
    for answers in [
        vec![Ok(response(200, &[], ""))],
        vec![Ok(response(503, &[("x-should-retry", "false")], ""))],
        vec![Err(failed(FailureKind::TooLarge, false))],
    ] {
        let mut asked = get("http://api.test/x", &options());
        asked.hooks = all_hooks();
        let played = play_with(asked, &VirtualClock::starting_now(), answers, |_, _| false);
        assert_eq!(played.names(), ["attempt", "exchange", "outcome"]);
    }
    let mut last = get("http://api.test/x", &Options { max_attempts: 1, ..options() });
    last.hooks = all_hooks();
    let answers = vec![Ok(response(503, &[], ""))];
    let played = play_with(last, &VirtualClock::starting_now(), answers, |_, _| false);
    assert_eq!(played.names(), ["attempt", "exchange", "outcome"]);
}

#[test]
fn a_slow_retry_hook_does_not_move_the_due_time() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = Hooks { retry: true, ..Hooks::default() };
    let answers = vec![Ok(response(500, &[], "")), Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
    let mut sent_at = Vec::new();
    let played = play_with(asked, &clock, answers, |_, step| {
        match step {
            Step::Exchange(_) => sent_at.push(clock.now().since(start)),
            // Within the first wait of 0.5 s, then beyond the second of 1 s.
            Step::Retry { attempt, .. } => {
                advance(&clock, if attempt.number == 1 { ms(300) } else { seconds(3) });
            }
            _ => {}
        }
        false
    });
    assert_eq!(sent_at, [ms(0), ms(500), ms(3500)]);
    assert_eq!(answer(played.ended).status, 200);
}

#[test]
fn the_time_in_a_hook_is_no_part_of_an_attempt() {
    let clock = VirtualClock::starting_now();
    let mut asked = get("http://api.test/x", &options());
    asked.hooks = all_hooks();
    let played = play_with(asked, &clock, vec![Ok(response(200, &[], ""))], |_, step| {
        if !matches!(step, Step::Exchange(_)) {
            advance(&clock, seconds(2));
        }
        false
    });
    assert_eq!(played.ended.attempts[0].duration, Duration::ZERO);
    assert_eq!((played.ended.elapsed, played.ended.waited), (seconds(4), Duration::ZERO));
}
