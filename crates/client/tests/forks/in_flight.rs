//! Calls in flight when a process forks stay the parent's.

use client::{Call, Sink, Step, runtime};
use test_server::{TestServer, json};

use crate::support::{
    all_hooks, drive_to_end,
    ends::{answer, failure},
    forked::in_child,
    get, go_on, ms, options, quick, send,
};

fn streamed(server: &TestServer) -> Call {
    let mut call = get(&format!("{}/large", server.http()), &options());
    call.sink = Sink::Stream { rewindable: true };
    call
}

#[test]
fn a_body_that_is_being_read_is_read_on() {
    let server = TestServer::start();
    server.script("large", json!([{"body_repeat": ["x", 5_000_000]}]));
    let id = runtime::begin(streamed(&server));
    let mut length = 0;
    let mut forks = 0;
    let ended = drive_to_end(id, |step| {
        let Step::SinkWrite(chunk) = &step else { panic!("{step:?}") };
        length += chunk.len();
        if forks < 4 {
            forks += 1;
            in_child(|| {
                // Nothing that the child does to its parent's call has an effect.
                runtime::answer_sink(id, Err("child".into()));
                let Step::Done(ended) = runtime::drive(id) else { panic!() };
                assert!(failure(*ended).permanent);
                runtime::cancel(id);
                let mut own = 0;
                let child = runtime::begin(streamed(&server));
                let ended = drive_to_end(child, |step| {
                    let Step::SinkWrite(chunk) = &step else { panic!("{step:?}") };
                    own += chunk.len();
                    go_on(child, &step);
                });
                assert_eq!((answer(ended).status, own), (200, 5_000_000));
                runtime::cancel_all();
            });
        }
        go_on(id, &step);
    });
    assert_eq!((answer(ended).status, length, forks), (200, 5_000_000, 4));
}

#[test]
fn a_hook_that_forks_lets_the_call_go_on() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 503, "body": "busy"}, {"action": "reset"}, {"body": "done"}]));
    let mut asked = get(&format!("{}/a", server.http()), &quick(0.05));
    asked.hooks = all_hooks();
    let id = runtime::begin(asked);
    let mut steps = 0;
    let ended = drive_to_end(id, |step| {
        in_child(|| {
            assert_eq!(answer(send(get(&format!("{}/json", server.http()), &options()))).status, 200)
        });
        steps += 1;
        go_on(id, &step);
    });
    assert_eq!(steps, 8);
    assert_eq!((ended.attempts.len(), ended.waited), (3, ms(100)));
    assert_eq!(answer(ended).body, "done");
}

#[test]
fn a_child_that_was_forked_in_a_hook_can_leave_by_exit() {
    let server = TestServer::start();
    server.script("large", json!([{"body_repeat": ["x", 5_000_000]}]));
    let id = runtime::begin(streamed(&server));
    let mut length = 0;
    let ended = drive_to_end(id, |step| {
        let Step::SinkWrite(chunk) = &step else { panic!("{step:?}") };
        if length == 0 {
            // SAFETY: the child has one thread, and what its exit handlers use is its own.
            in_child(|| unsafe { libc::exit(0) });
        }
        length += chunk.len();
        go_on(id, &step);
    });
    assert_eq!((answer(ended).status, length), (200, 5_000_000));
}
