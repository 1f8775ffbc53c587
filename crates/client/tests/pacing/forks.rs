//! A process that forks while it waits or has a place keeps both, and its child begins without.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use client::{Limits, Step, runtime, stats};
use test_server::TestServer;

use crate::{
    machine::{Machine, decided, once_under, shared, with_limits},
    support::{
        drive_to_end,
        ends::{answer, over_budget},
        forked::in_child,
        get, ms, send,
        servers::until,
    },
};

/// A call that finds a place, or ends soon.
fn finds_place(url: &str, limit: &str) -> bool {
    let mut call = shared(get(url, &once_under(limit)));
    call.deadline = Some(runtime::now().after(ms(500)));
    call.hooks.attempt = true;
    let id = runtime::begin(call);
    match runtime::drive(id) {
        Step::Attempt { .. } => {
            runtime::cancel(id);
            true
        }
        Step::Done(ended) => {
            over_budget(*ended);
            false
        }
        step => panic!("{step:?}"),
    }
}

#[test]
fn a_place_stays_the_parents() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/limited/a", server.http());
    machine.run(|| {
        let mut call = shared(get(&url, &once_under("2 at once")));
        call.hooks.attempt = true;
        let id = runtime::begin(call);
        assert!(matches!(runtime::drive(id), Step::Attempt { .. }));
        for _ in 0..3 {
            in_child(|| {
                // One of the two is the parent's, whatever the child does to its call.
                assert!(finds_place(&url, "2 at once"));
                runtime::cancel(id);
                runtime::cancel_all();
                let mut call = shared(get(&url, &once_under("2 at once")));
                call.hooks.attempt = true;
                let own = runtime::begin(call);
                assert!(matches!(runtime::drive(own), Step::Attempt { .. }));
                in_child(|| assert!(!finds_place(&url, "2 at once")));
                runtime::shut_down();
            });
        }
        runtime::answer_attempt(id, Vec::new());
        let Step::Done(ended) = runtime::drive(id) else { panic!() };
        assert_eq!(answer(*ended).status, 200);
        in_child(|| {
            let places: Vec<_> = (0..2)
                .map(|_| {
                    let mut call = shared(get(&url, &once_under("2 at once")));
                    call.hooks.attempt = true;
                    let id = runtime::begin(call);
                    assert!(matches!(runtime::drive(id), Step::Attempt { .. }));
                    id
                })
                .collect();
            assert!(!finds_place(&url, "2 at once"));
            places.into_iter().for_each(runtime::cancel);
        });
    });
}

static ASKED: AtomicU32 = AtomicU32::new(0);

fn waiting() -> u32 {
    stats(true).keys.iter().map(|key| key.waiting).sum()
}

#[test]
fn who_waits_goes_on_and_its_child_does_not_wait() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let held = format!("{}/limited/held?delay=1500", server.http());
    let holder =
        machine.start(|| assert_eq!(answer(send(shared(get(&held, &once_under("1 at once"))))).status, 200));
    until("the holder", || decided(&server, "held", "in_flight") == 1);
    let url = format!("{}/limited/a", server.http());
    machine.run(|| {
        // Asked before the call begins, and before each sleep.
        runtime::on_interrupt(|| matches!(ASKED.fetch_add(1, Relaxed), 2 | 6 | 12));
        let limits = Limits { max_waiting: Some(2), ..Limits::default() };
        let id = runtime::begin(with_limits(get(&url, &once_under("1 at once")), limits.clone()));
        let mut forks = 0;
        let ended = drive_to_end(id, |step| {
            assert!(matches!(step, Step::Interrupted), "{step:?}");
            forks += 1;
            assert_eq!(waiting(), 1);
            in_child(|| {
                ASKED.store(100, Relaxed);
                assert_eq!(waiting(), 1, "the parent, and no copy of it");
                runtime::cancel_all();
                assert_eq!(waiting(), 1);
                // There is room for a second to wait, in the child.
                let mut call = with_limits(get(&url, &once_under("1 at once")), limits.clone());
                call.deadline = Some(runtime::now().after(ms(60)));
                over_budget(send(call));
                runtime::shut_down();
            });
            assert_eq!(waiting(), 1);
        });
        assert!(forks >= 1);
        assert_eq!(ended.attempts.len(), 1);
        assert_eq!(answer(ended).status, 200);
        assert_eq!(waiting(), 0);
    });
    holder.wait();
    assert_eq!(decided(&server, "a", "accepted"), 1, "the children sent nothing");
}
