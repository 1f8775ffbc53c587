//! Waiting costs next to nothing, and is not begun where the deadline comes first.

use std::time::Duration;

use client::runtime;
use test_server::{TestServer, json};

use crate::{
    machine::{Machine, decided, once, once_under, shared},
    support::{
        children::{Child, hear},
        ends::{answer, gave_up, over_budget},
        get, ms, seconds, send,
        servers::until,
        sleeps::sleeps,
    },
};

#[test]
fn three_seconds_of_looking_for_a_place_or_at_a_gate() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let busy = format!("{}/limited/a?delay=25000", server.http());
    let _holder = machine.start(|| drop(send(shared(get(&busy, &once_under("1 at once"))))));
    until("the holder", || decided(&server, "a", "in_flight") == 1);
    server.script("shut", json!([{"status": 429, "headers": [["Retry-After", "3"]]}, {}]));
    let shut = format!("{}/shut", server.http());
    machine.run(|| assert_eq!(gave_up(send(shared(get(&shut, &once())))).status, 429));
    let waiters: Vec<_> = (0..8)
        .map(|n| {
            machine.start(|| {
                let looks_for_a_place = n % 2 == 0;
                let call = if looks_for_a_place {
                    let mut call = shared(get(&busy, &once_under("1 at once")));
                    call.deadline = Some(runtime::now().after(seconds(3)));
                    call
                } else {
                    shared(get(&shut, &once()))
                };
                let before = sleeps();
                let ended = send(call);
                let slept = sleeps() - before;
                assert!(ended.waited > ms(2500) && ended.attempts.len() <= 1, "{ended:?}");
                // One looks every few milliseconds, the other hardly before its time has come.
                assert!(slept < if looks_for_a_place { 1500 } else { 150 }, "{slept} sleeps");
            })
        })
        .collect();
    waiters.into_iter().for_each(Child::wait);
}

/// The end comes at once: this call's time until then, the least of some.
#[test]
fn a_slot_past_the_deadline_is_not_waited_for() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/limited/a", server.http());
    machine.run(|| assert_eq!(answer(send(shared(get(&url, &once_under("1/min"))))).status, 200));
    let mut took: Vec<Duration> = (0..5)
        .map(|_| {
            let (child, mut heard) = machine.telling(|tell| {
                let mut call = shared(get(&url, &once_under("1/min")));
                call.deadline = Some(runtime::now().after(seconds(2)));
                let ended = send(call);
                tell(ended.elapsed.as_nanos() as u64);
                assert!(ended.attempts.is_empty());
                let over = over_budget(ended);
                assert!(over.response.is_none() && over.cut.is_none());
                assert!(over.needed > seconds(30) && over.needed <= ms(60_002), "{over:?}");
                assert_eq!(over.retry_after, Some(over.needed));
                assert!(over.left <= seconds(2) && over.left > ms(500), "{over:?}");
            });
            let took = Duration::from_nanos(hear(&mut heard));
            child.wait();
            took
        })
        .collect();
    took.sort_unstable();
    println!("over budget after {took:?}");
    assert!(took[0] < ms(20), "{took:?}");
    assert_eq!(decided(&server, "a", "accepted"), 1);
}

#[test]
fn a_slot_before_the_deadline_is_waited_for() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/limited/a", server.http());
    machine.run(|| {
        for _ in 0..3 {
            let mut call = shared(get(&url, &once_under("5/s")));
            call.deadline = Some(runtime::now().after(seconds(10)));
            assert_eq!(answer(send(call)).status, 200);
        }
    });
}
