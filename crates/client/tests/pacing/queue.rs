//! `maxWaiting`: so many processes may wait for one key, and who is killed waits no longer.

use client::{Call, End, Limits, runtime, stats};
use test_server::TestServer;

use crate::{
    machine::{Machine, decided, once_under, shared, with_limits},
    support::{
        children::{Child, hear},
        ends::over_budget,
        get, ms, seconds, send,
        servers::until,
    },
};

/// How many processes wait, as any of them sees it.
fn waiting(machine: &Machine) -> u64 {
    let (child, mut heard) =
        machine.telling(|tell| tell(stats(true).keys.iter().map(|key| u64::from(key.waiting)).sum()));
    let waiting = hear(&mut heard);
    child.wait();
    waiting
}

#[test]
fn two_may_wait_and_a_third_may_not() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/limited/a?delay=25000", server.http());
    let call = || -> Call {
        with_limits(get(&url, &once_under("1 at once")), Limits { max_waiting: Some(2), ..Limits::default() })
    };
    let _holder = machine.start(|| drop(send(shared(get(&url, &once_under("1 at once"))))));
    until("the holder", || decided(&server, "a", "in_flight") == 1);
    let wait = |count| {
        let child = machine.start(|| drop(send(call())));
        until("the waiter", || waiting(&machine) == count);
        child
    };
    let waiters = [wait(1), wait(2)];
    let third_is_sent_away = || {
        let mut call = call();
        call.deadline = Some(runtime::now().after(seconds(20)));
        let ended = send(call);
        assert!(matches!(ended.end, End::RateLimited { response: None, .. }), "{ended:?}");
        assert!(ended.attempts.is_empty() && ended.elapsed < seconds(5), "{ended:?}");
    };
    machine.run(third_is_sent_away);
    assert_eq!(waiting(&machine), 2);

    let [first, second] = waiters;
    first.kill();
    until("one less", || waiting(&machine) == 1);
    machine.run(|| {
        let mut call = call();
        call.deadline = Some(runtime::now().after(ms(200)));
        over_budget(send(call));
    });
    assert_eq!(waiting(&machine), 1);
    second.kill();
    until("none", || waiting(&machine) == 0);
    // Who does not say how many waits whatever others say.
    let many: Vec<Child> =
        (0..4).map(|_| machine.start(|| drop(send(shared(get(&url, &once_under("1 at once"))))))).collect();
    until("four", || waiting(&machine) == 4);
    machine.run(third_is_sent_away);
    drop(many);
}
