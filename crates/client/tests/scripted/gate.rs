//! A refusal that one call met holds back the others of its key: paced, capped, or over budget at once.

use std::time::Duration;

use client::{Call, Step, VirtualClock};
use policy::{Options, Reason};

use crate::support::{
    ends::{answer, over_budget},
    get, options, reasons, response,
    scripts::{play, play_with},
    seconds, waits, with_header,
};

const KEY: &str = "http://api.test/v1/chat";

fn once() -> Options {
    Options { max_attempts: 1, ..options() }
}

/// Another call of the key is refused for so many seconds.
fn refuse(clock: &VirtualClock, call: Call, status: u16, after: &str) {
    play(call, clock, vec![Ok(response(status, &[("retry-after", after)], ""))]);
}

#[test]
fn a_refusal_holds_the_next_call_back() {
    for status in [429, 503, 529] {
        let clock = VirtualClock::starting_now();
        refuse(&clock, get(KEY, &once()), status, "20");
        let start = clock.now();
        let (ended, _) = play(get(KEY, &options()), &clock, vec![Ok(response(200, &[], "in"))]);
        assert_eq!(clock.now().since(start), seconds(20), "{status}");
        assert_eq!((ended.waited, ended.elapsed), (seconds(20), seconds(20)));
        assert_eq!(ended.attempts[0].paced, seconds(20));
        assert_eq!(ended.attempts[0].duration, Duration::ZERO);
        assert_eq!(waits(&ended.attempts), [Duration::ZERO]);
        assert_eq!(answer(ended).body, "in");
    }
}

#[test]
fn a_call_honours_at_most_its_own_cap_of_it() {
    let clock = VirtualClock::starting_now();
    refuse(&clock, get(KEY, &once()), 429, "3600");
    let capped = Options { max_retry_after: 5.0, ..options() };
    let (ended, _) = play(get(KEY, &capped), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!((ended.waited, ended.attempts[0].paced), (seconds(5), seconds(5)));
}

#[test]
fn a_gate_that_opens_past_the_deadline_is_over_budget_at_once() {
    let clock = VirtualClock::starting_now();
    refuse(&clock, get(KEY, &once()), 429, "20");
    for left in [1, 20] {
        let start = clock.now();
        let mut asked = get(KEY, &options());
        asked.deadline = Some(start.after(seconds(left)));
        let (ended, requests) = play(asked, &clock, Vec::new());
        assert!(requests.is_empty() && ended.attempts.is_empty());
        assert_eq!((clock.now(), ended.waited), (start, Duration::ZERO));
        let over = over_budget(ended);
        assert_eq!((over.needed, over.left), (seconds(20), seconds(left)));
        assert_eq!(over.retry_after, Some(seconds(20)));
        assert!(over.response.is_none() && over.cut.is_none());
    }
}

#[test]
fn the_gate_is_held_against_the_deadline_uncapped() {
    let clock = VirtualClock::starting_now();
    refuse(&clock, get(KEY, &once()), 429, "1000");
    let mut asked = get(KEY, &options());
    asked.deadline = Some(clock.now().after(seconds(900)));
    let over = over_budget(play(asked, &clock, Vec::new()).0);
    assert_eq!((over.needed, over.left), (seconds(1000), seconds(900)));
}

#[test]
fn only_calls_of_its_key_are_held_back() {
    let bearer = |token: &str| with_header(get(KEY, &options()), "authorization", token);
    let clock = VirtualClock::starting_now();
    let mut refused = bearer("Bearer one");
    refused.settings = get(KEY, &once()).settings;
    refuse(&clock, refused, 429, "20");
    for other in [
        bearer("Bearer two"),
        get(KEY, &options()),
        with_header(get("http://api.test/v1/models", &options()), "authorization", "Bearer one"),
        with_header(get("http://other.test/v1/chat", &options()), "authorization", "Bearer one"),
    ] {
        let (ended, _) = play(other, &clock, vec![Ok(response(200, &[], ""))]);
        assert_eq!(ended.attempts[0].paced, Duration::ZERO);
    }
    let (ended, _) = play(bearer("Bearer one"), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.attempts[0].paced, seconds(20));
}

#[test]
fn a_limit_key_joins_what_the_request_would_part() {
    let named = |uri: &str, options: &Options| {
        let mut asked = get(uri, options);
        asked.limits.key = Some("all".into());
        asked
    };
    let clock = VirtualClock::starting_now();
    refuse(&clock, named("http://api.test/a", &once()), 429, "20");
    let (ended, _) = play(get("http://api.test/a", &options()), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.waited, Duration::ZERO);
    let (ended, _) = play(named("http://api.test/b", &options()), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.waited, seconds(20));
}

#[test]
fn two_clocks_know_nothing_of_each_other() {
    refuse(&VirtualClock::starting_now(), get(KEY, &once()), 429, "20");
    let (ended, _) =
        play(get(KEY, &options()), &VirtualClock::starting_now(), vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.waited, Duration::ZERO);
}

#[test]
fn a_call_that_waited_for_its_own_refusal_is_not_held_back_again() {
    let clock = VirtualClock::starting_now();
    let answers = vec![Ok(response(429, &[("retry-after", "3600")], "")), Ok(response(200, &[], ""))];
    let (ended, _) = play(get(KEY, &options()), &clock, answers);
    assert_eq!(waits(&ended.attempts), [seconds(30), seconds(0)]);
    assert_eq!(ended.attempts[1].paced, Duration::ZERO);
    assert_eq!(ended.waited, seconds(30));
}

#[test]
fn anothers_refusal_during_the_own_wait_adds_to_it() {
    let clock = VirtualClock::starting_now();
    let mut asked = get(KEY, &options());
    asked.hooks.retry = true;
    let answers = vec![Ok(response(500, &[], "")), Ok(response(200, &[], ""))];
    let played = play_with(asked, &clock, answers, |_, step| {
        if matches!(step, Step::Retry { .. }) {
            refuse(&clock, get(KEY, &once()), 429, "4");
        }
        false
    });
    let ended = played.ended;
    assert_eq!(waits(&ended.attempts), [Duration::from_millis(500), Duration::ZERO]);
    assert_eq!(ended.attempts[0].reason, Reason::Backoff);
    assert_eq!(ended.attempts[1].paced, Duration::from_millis(3500));
    assert_eq!((ended.waited, ended.elapsed), (seconds(4), seconds(4)));
}

#[test]
fn anothers_refusal_past_the_deadline_ends_the_call_with_its_own_last_answer() {
    let clock = VirtualClock::starting_now();
    let mut asked = get(KEY, &options());
    asked.hooks.retry = true;
    asked.deadline = Some(clock.now().after(seconds(5)));
    let played = play_with(asked, &clock, vec![Ok(response(500, &[], "own"))], |_, step| {
        if matches!(step, Step::Retry { .. }) {
            refuse(&clock, get(KEY, &once()), 429, "40");
        }
        false
    });
    assert_eq!(reasons(&played.ended.attempts), [Reason::BudgetExceeded]);
    assert_eq!(played.ended.elapsed, Duration::from_millis(500));
    let over = over_budget(played.ended);
    assert_eq!((over.needed, over.left), (Duration::from_millis(39_500), Duration::from_millis(4500)));
    assert_eq!(over.retry_after, Some(Duration::from_millis(39_500)));
    assert_eq!(over.response.unwrap().body, "own");
}

#[test]
fn the_answer_to_a_scout_opens_the_gate_again() {
    let clock = VirtualClock::starting_now();
    refuse(&clock, get(KEY, &once()), 429, "20");
    let impatient = Options { max_retry_after: 5.0, ..options() };
    let (ended, _) = play(get(KEY, &impatient), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.waited, seconds(5));
    // One slot later, not after the rest of the 20 s.
    let (ended, _) = play(get(KEY, &options()), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.waited, Duration::from_millis(250));
}

#[test]
fn the_answer_to_an_earlier_request_does_not_open_it() {
    let clock = VirtualClock::starting_now();
    let mut asked = get(KEY, &options());
    asked.hooks.attempt = true;
    // Sent while the gate was open, answered after it was shut.
    let played = play_with(asked, &clock, vec![Ok(response(200, &[], ""))], |_, step| {
        if matches!(step, Step::Attempt { .. }) {
            refuse(&clock, get(KEY, &once()), 429, "20");
        }
        false
    });
    assert_eq!(played.ended.waited, Duration::ZERO);
    let (ended, _) = play(get(KEY, &options()), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(ended.waited, seconds(20));
}
