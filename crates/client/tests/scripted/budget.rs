//! What a deadline allows: it is held against the server's uncapped wish, against waits and against sends.

use std::time::Duration;

use client::{Call, Step, VirtualClock, runtime};
use policy::{FailureKind, Options, Reason};

use crate::support::{
    all_hooks,
    ends::{answer, over_budget},
    failed, get, ms, options, reasons, response,
    scripts::{advance, name, play, play_with},
    seconds, waits,
};

fn until(clock: &VirtualClock, after: Duration, options: &Options) -> Call {
    let mut asked = get("http://api.test/x", options);
    asked.deadline = Some(clock.now().after(after));
    asked
}

#[test]
fn a_wish_is_held_against_the_deadline_uncapped() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let asked = until(&clock, seconds(60), &options());
    let answers = vec![Ok(response(429, &[("retry-after", "3600")], "come back"))];
    let (ended, _) = play(asked, &clock, answers);
    assert_eq!(clock.now(), start);
    assert_eq!(ended.waited, Duration::ZERO);
    assert_eq!(reasons(&ended.attempts), [Reason::BudgetExceeded]);
    assert_eq!(waits(&ended.attempts), [Duration::ZERO]);
    let over = over_budget(ended);
    assert_eq!((over.needed, over.left), (seconds(3600), seconds(60)));
    assert_eq!(over.retry_after, Some(seconds(3600)));
    assert_eq!(over.cut, None);
    let response = over.response.unwrap();
    assert_eq!((response.status, response.body.to_vec().as_slice()), (429, &b"come back"[..]));
}

#[test]
fn a_wish_that_fits_is_waited_for_up_to_its_cap() {
    let clock = VirtualClock::starting_now();
    let asked = until(&clock, seconds(60), &options());
    let answers = vec![Ok(response(429, &[("retry-after", "59")], "")), Ok(response(200, &[], ""))];
    let (ended, _) = play(asked, &clock, answers);
    assert_eq!((ended.waited, ended.elapsed), (seconds(30), seconds(30)));
    assert_eq!(answer(ended).status, 200);
}

#[test]
fn what_is_left_counts_from_the_decision() {
    let clock = VirtualClock::starting_now();
    let asked = until(&clock, seconds(10), &options());
    let answers =
        vec![Ok(response(429, &[("retry-after", "4")], "")), Ok(response(429, &[("retry-after", "7")], ""))];
    let (ended, _) = play(asked, &clock, answers);
    assert_eq!(waits(&ended.attempts), [seconds(4), ms(0)]);
    assert_eq!(reasons(&ended.attempts), [Reason::RetryAfter, Reason::BudgetExceeded]);
    assert_eq!(ended.waited, seconds(4));
    let over = over_budget(ended);
    assert_eq!((over.needed, over.left, over.retry_after), (seconds(7), seconds(6), Some(seconds(7))));
}

#[test]
fn a_backoff_that_ends_at_the_deadline_is_not_begun() {
    let clock = VirtualClock::starting_now();
    let (ended, _) = play(until(&clock, ms(500), &options()), &clock, vec![Ok(response(500, &[], "oops"))]);
    assert_eq!(ended.elapsed, Duration::ZERO);
    let over = over_budget(ended);
    assert_eq!((over.needed, over.left, over.retry_after), (ms(500), ms(500), None));
    assert_eq!(over.response.unwrap().body, "oops");

    let clock = VirtualClock::starting_now();
    let asked = until(&clock, ms(500) + Duration::from_nanos(1), &options());
    let (ended, _) = play(asked, &clock, vec![Ok(response(500, &[], "")), Ok(response(200, &[], ""))]);
    assert_eq!(ended.elapsed, ms(500));
    assert_eq!(answer(ended).status, 200);
}

#[test]
fn after_a_failure_the_last_answer_is_what_there_is_to_show() {
    let clock = VirtualClock::starting_now();
    let asked = until(&clock, seconds(1), &options());
    let answers = vec![Ok(response(503, &[], "first")), Err(failed(FailureKind::Reset, false))];
    let (ended, _) = play(asked, &clock, answers);
    assert_eq!(reasons(&ended.attempts), [Reason::Backoff, Reason::BudgetExceeded]);
    assert_eq!(ended.elapsed, ms(500));
    let over = over_budget(ended);
    assert_eq!((over.needed, over.left, over.retry_after), (seconds(1), ms(500), None));
    assert_eq!(over.cut, Some(failed(FailureKind::Reset, false)));
    assert_eq!(over.response.unwrap().body, "first");
}

#[test]
fn nothing_is_sent_or_asked_after_the_deadline() {
    let clock = VirtualClock::starting_now();
    let mut asked = until(&clock, Duration::ZERO, &options());
    asked.hooks = all_hooks();
    let played = play_with(asked, &clock, Vec::new(), |_, _| false);
    assert!(played.steps.is_empty(), "{:?}", played.names());
    assert!(played.ended.attempts.is_empty());
    let over = over_budget(played.ended);
    assert!(over.response.is_none() && over.cut.is_none() && over.retry_after.is_none());
    assert_eq!((over.needed, over.left), (Duration::ZERO, Duration::ZERO));
}

#[test]
fn a_deadline_that_passes_in_the_first_hook_sends_nothing() {
    let clock = VirtualClock::starting_now();
    let mut asked = until(&clock, seconds(5), &options());
    asked.hooks = all_hooks();
    let played = play_with(asked, &clock, Vec::new(), |_, step| {
        if matches!(step, Step::Attempt { .. }) {
            advance(&clock, seconds(5));
        }
        false
    });
    assert_eq!(played.names(), ["attempt"]);
    assert!(played.ended.attempts.is_empty());
    assert_eq!(played.ended.elapsed, seconds(5));
    assert!(over_budget(played.ended).response.is_none());
}

#[test]
fn a_deadline_that_passes_in_a_later_hook_gives_the_last_answer_back() {
    for hook in ["outcome", "retry", "attempt"] {
        let clock = VirtualClock::starting_now();
        let mut asked = until(&clock, seconds(5), &options());
        asked.hooks = all_hooks();
        let mut seen = 0;
        let played = play_with(asked, &clock, vec![Ok(response(503, &[], "first"))], |_, step| {
            seen += usize::from(name(step) == hook);
            let late = if hook == "attempt" { 2 } else { 1 };
            if name(step) == hook && seen == late {
                advance(&clock, seconds(5));
            }
            false
        });
        assert_eq!(played.requests.len(), 1, "{hook}");
        assert_eq!(reasons(&played.ended.attempts), [Reason::BudgetExceeded], "{hook}");
        assert_eq!(over_budget(played.ended).response.unwrap().body, "first", "{hook}");
    }
}

#[test]
fn an_attempt_that_the_deadline_cut_says_so() {
    let clock = VirtualClock::starting_now();
    let start = clock.now();
    let asked = until(&clock, seconds(5), &options());
    let played = play_with(asked, &clock, vec![Ok(response(500, &[], "first"))], |id, step| {
        let second = matches!(step, Step::Exchange(_)) && clock.now() > start;
        if second {
            advance(&clock, seconds(5));
            runtime::answer_exchange(id, Err(failed(FailureKind::Timeout, false)));
        }
        second
    });
    assert_eq!(reasons(&played.ended.attempts), [Reason::Backoff, Reason::BudgetExceeded]);
    assert_eq!(played.ended.attempts[1].duration, seconds(5));
    let over = over_budget(played.ended);
    assert_eq!((over.needed, over.left), (Duration::ZERO, Duration::ZERO));
    assert_eq!(over.cut, Some(failed(FailureKind::Timeout, false)));
    assert_eq!(over.response.unwrap().body, "first");
}

#[test]
fn a_final_answer_after_the_deadline_is_still_an_answer() {
    let clock = VirtualClock::starting_now();
    let asked = until(&clock, seconds(5), &options());
    let played = play_with(asked, &clock, vec![Ok(response(200, &[], "late"))], |_, step| {
        if matches!(step, Step::Exchange(_)) {
            advance(&clock, seconds(6));
        }
        false
    });
    assert_eq!(answer(played.ended).body, "late");
}

#[test]
fn used_up_attempts_win_over_the_deadline() {
    let clock = VirtualClock::starting_now();
    let asked = until(&clock, seconds(1), &Options { max_attempts: 1, ..options() });
    let answers = vec![Ok(response(429, &[("retry-after", "3600")], ""))];
    let (ended, _) = play(asked, &clock, answers);
    assert_eq!(reasons(&ended.attempts), [Reason::AttemptsExhausted]);
}
