//! Ids of calls: what is over or cancelled, or belongs to the parent of a forked child, finds nothing.

use client::{
    Call, End, Step, VirtualClock,
    runtime::{self, CallId},
};

use crate::support::{
    drive_to_end,
    ends::{answer, failure},
    forked::in_child,
    get, options, response,
    scripts::play,
};

fn one() -> Call {
    get("http://api.test/x", &options())
}

#[track_caller]
fn is_gone(id: CallId) {
    let Step::Done(ended) = runtime::drive(id) else { panic!("it goes on") };
    assert!(ended.attempts.is_empty());
    let failed = failure(*ended);
    assert!(failed.permanent && !failed.unsent, "{failed:?}");
}

fn answer_everything(id: CallId) {
    runtime::answer_attempt(id, Vec::new());
    runtime::answer_outcome(id);
    runtime::answer_retry(id, false);
    runtime::answer_sink(id, Err("no".into()));
    runtime::answer_exchange(id, Ok(response(500, &[], "not for you")));
}

#[test]
fn a_call_that_is_over_is_gone() {
    let clock = VirtualClock::starting_now();
    let id = runtime::begin_scripted(one(), &clock);
    let mut answered = false;
    let ended = drive_to_end(id, |_| {
        answered = true;
        runtime::answer_exchange(id, Ok(response(200, &[], "")));
    });
    assert!(answered);
    assert_eq!(answer(ended).status, 200);
    is_gone(id);
    answer_everything(id);
    runtime::cancel(id);
    is_gone(id);
}

#[test]
fn a_stale_id_never_finds_the_call_that_took_its_place() {
    let clock = VirtualClock::starting_now();
    let old = runtime::begin_scripted(one(), &clock);
    runtime::cancel(old);
    let new = runtime::begin_scripted(one(), &clock);
    assert_ne!(old, new);
    assert!(matches!(runtime::drive(new), Step::Exchange(_)));
    answer_everything(old);
    is_gone(old);
    runtime::cancel(old);
    runtime::answer_exchange(new, Ok(response(200, &[], "mine")));
    let Step::Done(ended) = runtime::drive(new) else { panic!() };
    assert_eq!(answer(*ended).body, "mine");
}

#[test]
fn ids_are_not_used_again_after_a_shut_down() {
    let clock = VirtualClock::starting_now();
    let old = runtime::begin_scripted(one(), &clock);
    runtime::shut_down();
    is_gone(old);
    let new = runtime::begin_scripted(one(), &clock);
    assert_ne!(old, new);
    is_gone(old);
    assert!(matches!(runtime::drive(new), Step::Exchange(_)));
    runtime::cancel(new);
}

#[test]
fn ids_of_another_thread_find_nothing() {
    let clock = VirtualClock::starting_now();
    let ours = runtime::begin_scripted(one(), &clock);
    std::thread::spawn(move || {
        let theirs = runtime::begin_scripted(one(), &VirtualClock::starting_now());
        assert_ne!(ours, theirs);
        is_gone(ours);
        runtime::cancel(ours);
        assert!(matches!(runtime::drive(theirs), Step::Exchange(_)));
        // Left in flight: the thread's end drops it.
    })
    .join()
    .unwrap();
    assert!(matches!(runtime::drive(ours), Step::Exchange(_)));
    runtime::cancel(ours);
}

#[test]
fn cancel_drops_one_call_and_cancel_all_the_rest() {
    let clock = VirtualClock::starting_now();
    let ids: Vec<_> = (0..3).map(|_| runtime::begin_scripted(one(), &clock)).collect();
    for id in &ids {
        assert!(matches!(runtime::drive(*id), Step::Exchange(_)));
    }
    runtime::cancel(ids[1]);
    is_gone(ids[1]);
    runtime::answer_exchange(ids[0], Ok(response(500, &[], "")));
    assert!(matches!(runtime::drive(ids[0]), Step::Exchange(_)), "the others go on");
    runtime::cancel_all();
    ids.into_iter().for_each(is_gone);
    runtime::cancel_all();
    let (ended, _) = play(one(), &clock, vec![Ok(response(200, &[], ""))]);
    assert_eq!(answer(ended).status, 200);
}

#[test]
fn a_scripted_call_that_gets_no_answer_ends() {
    let id = runtime::begin_scripted(one(), &VirtualClock::starting_now());
    assert!(matches!(runtime::drive(id), Step::Exchange(_)));
    let Step::Done(ended) = runtime::drive(id) else { panic!() };
    assert!(matches!(ended.end, End::Failed(_)));
}

#[test]
fn a_forked_child_does_not_find_its_parents_calls() {
    let clock = VirtualClock::starting_now();
    let parents: Vec<_> = (0..3).map(|_| runtime::begin_scripted(one(), &clock)).collect();
    for id in &parents {
        assert!(matches!(runtime::drive(*id), Step::Exchange(_)));
    }
    in_child(|| {
        is_gone(parents[0]);
        let own: Vec<_> = (0..3).map(|_| runtime::begin_scripted(one(), &clock)).collect();
        for id in &parents {
            assert!(!own.contains(id));
            is_gone(*id);
            answer_everything(*id);
            runtime::cancel(*id);
        }
        runtime::cancel_all();
        own.into_iter().for_each(is_gone);
        let (ended, _) = play(one(), &clock, vec![Ok(response(200, &[], "child"))]);
        assert_eq!(answer(ended).body, "child");
        runtime::shut_down();
    });
    for id in parents {
        runtime::answer_exchange(id, Ok(response(200, &[], "parent")));
        let Step::Done(ended) = runtime::drive(id) else { panic!() };
        assert_eq!(answer(*ended).body, "parent");
    }
}
