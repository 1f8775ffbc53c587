//! `'3 at once'`: so many requests of all processes are in flight, whatever happens to the processes.

use std::time::Duration;

use client::runtime;
use test_server::TestServer;

use crate::{
    machine::{Machine, arrivals, decided, once_under, shared},
    support::{children::Child, ends::answer, get, ms, send, servers::until},
};

#[test]
fn twelve_processes_three_at_once() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/limited/a?kind=concurrency&limit=3&delay=20", server.http());
    machine.run_all(12, || {
        for _ in 0..5 {
            assert_eq!(answer(send(shared(get(&url, &once_under("3 at once"))))).status, 200);
        }
    });
    let count = |what| decided(&server, "a", what);
    assert_eq!((count("accepted"), count("refused"), count("max_in_flight")), (60, 0, 3));
}

/// Together with a rate, and several limits on what is in flight: each holds.
#[test]
fn several_limits_hold_at_once() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let at = |name: &str, delay: u32| {
        format!(
            "{}/limited/{name}?kind=concurrency&limit=2&and=bucket:100:1000:5&delay={delay}",
            server.http()
        )
    };
    let (slow, fast) = (at("a", 30), at("a", 5));
    let limited = once_under("100/s burst 5, 2 at once, 4 at once");
    let children: Vec<_> = (0..8)
        .map(|n| {
            let url = if n % 2 == 0 { &slow } else { &fast };
            machine.start(|| {
                (0..4).for_each(|_| assert_eq!(answer(send(shared(get(url, &limited)))).status, 200))
            })
        })
        .collect();
    children.into_iter().for_each(Child::wait);
    let count = |what| decided(&server, "a", what);
    assert_eq!((count("accepted"), count("refused"), count("max_in_flight")), (32, 0, 2));
}

/// A process that has the only place, for longer than the test.
fn holder(machine: &Machine, server: &TestServer, name: &str, limit: &str) -> Child {
    let url = format!("{}/limited/{name}?delay=25000", server.http());
    let holder = machine.start(|| drop(send(shared(get(&url, &once_under(limit))))));
    until("the holder", || decided(server, name, "in_flight") == 1);
    holder
}

#[test]
fn who_is_killed_frees_its_place() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let mut took = Vec::new();
    for round in 0..5 {
        let holder = holder(&machine, &server, &format!("holder{round}"), "1 at once");
        let name = format!("next{round}");
        let url = format!("{}/limited/{name}", server.http());
        let next = machine.start(|| {
            assert_eq!(answer(send(shared(get(&url, &once_under("1 at once"))))).status, 200);
        });
        std::thread::sleep(ms(120));
        assert_eq!(decided(&server, &name, "accepted"), 0);
        let killed = runtime::now().as_nanos();
        holder.kill();
        next.wait();
        took.push(Duration::from_nanos(arrivals(&server, &name)[0].checked_sub(killed).expect("before")));
    }
    // A busy machine may hold up the others.
    assert!(took.iter().min().unwrap() < &ms(100), "{took:?}");
}

#[test]
fn who_is_stopped_keeps_its_place_and_no_other() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let stopped = {
        let url = format!("{}/limited/stopped?delay=300", server.http());
        let child = machine.start(|| {
            assert_eq!(answer(send(shared(get(&url, &once_under("2 at once"))))).status, 200);
        });
        until("the request", || decided(&server, "stopped", "accepted") == 1);
        child
    };
    stopped.signal(libc::SIGSTOP);
    let url = format!("{}/limited/a?kind=concurrency&limit=1&delay=15", server.http());
    machine.run_all(6, || {
        for _ in 0..5 {
            assert_eq!(answer(send(shared(get(&url, &once_under("2 at once"))))).status, 200);
        }
    });
    // Also after the server has answered the one that is stopped.
    until("its answer", || decided(&server, "stopped", "in_flight") == 0);
    machine.run_all(2, || {
        assert_eq!(answer(send(shared(get(&url, &once_under("2 at once"))))).status, 200);
    });
    let count = |what| decided(&server, "a", what);
    assert_eq!((count("accepted"), count("refused"), count("max_in_flight")), (32, 0, 1));
    stopped.signal(libc::SIGCONT);
    stopped.wait();
}
