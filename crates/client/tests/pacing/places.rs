//! However a call ends, it leaves no place behind.

use client::{
    End, Step,
    runtime::{self, CallId},
};
use policy::Options;
use test_server::{TestServer, json};

use crate::{
    machine::{Machine, once_under, shared},
    support::{drive_to_end, get, go_on, ms, seconds, send},
};

const PLACES: usize = 50;
const LIMIT: &str = "50 at once";

fn brief() -> Options {
    Options { base_delay: 0.01, max_attempts: 2, ..once_under(LIMIT) }
}

/// A call that has its place, about to send; `None` when there is none for it.
fn with_place(url: &str) -> Option<CallId> {
    let mut call = shared(get(url, &brief()));
    call.hooks.attempt = true;
    call.deadline = Some(runtime::now().after(seconds(2)));
    let id = runtime::begin(call);
    matches!(runtime::drive(id), Step::Attempt { .. }).then_some(id)
}

/// All places can be had at once, by this process and by another.
fn are_free(machine: &Machine, url: &str) {
    let check = || {
        let ids: Vec<_> =
            (0..PLACES).map(|n| with_place(url).unwrap_or_else(|| panic!("{n} are left"))).collect();
        ids.into_iter().for_each(runtime::cancel);
    };
    check();
    machine.run(check);
}

/// What ends a call: each leaves nothing.
fn end_one(server: &TestServer, way: usize) {
    let at = |path: &str| format!("{}/{path}", server.http());
    let begin = |path: &str, change: &dyn Fn(&mut client::Call)| {
        let mut call = shared(get(&at(path), &brief()));
        change(&mut call);
        runtime::begin(call)
    };
    match way {
        0 => drop(send(shared(get(&at("json"), &brief())))),
        // No answer, a broken one, one that is given up, and one that takes too long.
        1 => assert!(matches!(send(shared(get(&at("drop"), &brief()))).end, End::Failed(_))),
        2 => assert!(matches!(send(shared(get(&at("half/100"), &brief()))).end, End::Failed(_))),
        3 => assert!(matches!(send(shared(get(&at("status/503"), &brief()))).end, End::GaveUp(_))),
        4 => {
            let timeout = Options { timeout: 0.03, max_attempts: 1, ..brief() };
            assert!(matches!(send(shared(get(&at("stall"), &timeout))).end, End::Failed(_)));
        }
        5 => assert!(matches!(send(shared(get(&at("redirect/2"), &brief()))).end, End::Answer(_))),
        6 => assert!(matches!(
            send(shared(get(&at("redirect-loop"), &brief()))).end,
            End::Answer(_) | End::Failed(_)
        )),
        // Cancelled before it begins, in the attempt hook, and while it waits to be sent again.
        7 => runtime::cancel(begin("json", &|_| {})),
        8 => {
            let id = begin("json", &|call| call.hooks.attempt = true);
            assert!(matches!(runtime::drive(id), Step::Attempt { .. }));
            runtime::cancel(id);
        }
        9 => {
            let id = begin("status/503", &|call| call.hooks.retry = true);
            let ended = drive_to_end(id, |step| {
                assert!(matches!(step, Step::Retry { .. }), "{step:?}");
                runtime::answer_retry(id, false);
            });
            assert!(matches!(ended.end, End::GaveUp(_)), "{ended:?}");
        }
        // In the middle of its body.
        10 => {
            let id = begin("bytes/3000000", &|call| call.sink = client::Sink::Stream { rewindable: false });
            assert!(matches!(runtime::drive(id), Step::SinkWrite(_)));
            runtime::cancel_all();
        }
        11 => {
            let id = begin("bytes/300000", &|call| call.sink = client::Sink::Stream { rewindable: false });
            let ended = drive_to_end(id, |step| {
                assert!(matches!(step, Step::SinkWrite(_)), "{step:?}");
                runtime::answer_sink(id, Err("full".into()));
            });
            assert!(matches!(ended.end, End::Failed(_)), "{ended:?}");
        }
        // Its time is over in the hook, and on the way.
        12 => {
            let id = begin("json", &|call| {
                call.hooks.attempt = true;
                call.deadline = Some(runtime::now().after(ms(20)));
            });
            let ended = drive_to_end(id, |step| {
                std::thread::sleep(ms(25));
                go_on(id, &step);
            });
            assert!(matches!(ended.end, End::OverBudget { .. }), "{ended:?}");
        }
        _ => {
            let id = begin("stall", &|call| call.deadline = Some(runtime::now().after(ms(30))));
            let ended = drive_to_end(id, |step| panic!("{step:?}"));
            assert!(matches!(ended.end, End::OverBudget { .. }), "{ended:?}");
        }
    }
}

#[test]
fn a_hundred_calls_leave_no_place_behind() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/json", server.http());
    machine.run(|| {
        for n in 0..112 {
            end_one(&server, n % 14);
        }
        are_free(&machine, &url);
    });
}

#[test]
fn each_way_alone_leaves_none_either() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/json", server.http());
    for way in 0..14 {
        machine.run(|| {
            end_one(&server, way);
            are_free(&machine, &url);
        });
    }
}

/// After a refusal what is in flight is counted without a limit of the caller's, too.
#[test]
fn those_that_are_counted_after_a_refusal() {
    let (machine, server) = (Machine::new(), TestServer::start());
    server.script("a", json!([{"status": 429, "headers": [["Retry-After", "0"]]}, {}]));
    let url = format!("{}/a", server.http());
    machine.run(|| {
        let quick = Options { base_delay: 0.01, ..crate::support::options() };
        (0..10).for_each(|_| drop(send(shared(get(&url, &quick)))));
        // Neither waits, and none is in flight: another process could go at once if it were one at a time.
        let stats = client::stats(true);
        assert!(stats.keys.iter().all(|key| key.waiting == 0), "{stats:?}");
    });
}
