//! How exactly a wait ends, and what it costs.

use std::time::Duration;

use test_server::{TestServer, json};

use crate::support::{ends::answer, get, ms, quick, send, servers::between, sleeps::sleeps};

#[test]
fn a_wait_ends_at_its_due_time() {
    let server = TestServer::start();
    server.script("a", json!({"steps": [{"status": 500}, {}], "then": "cycle"}));
    // Between two arrivals lie the wait, what it is late, and the way there and back.
    let mut late: Vec<Duration> = (0..21)
        .map(|_| {
            server.clear_log("a");
            let ended = send(get(&format!("{}/a", server.http()), &quick(0.03)));
            assert_eq!(ended.waited, ms(30));
            let log = server.log("a");
            let gap = between(&log[0], &log[1]);
            assert!(gap >= ms(30), "{gap:?}");
            gap - ms(30)
        })
        .collect();
    late.sort_unstable();
    // A busy machine is late now and then, a timer with steps always.
    assert!(late[0] < ms(4), "{late:?}");
}

#[test]
fn a_wait_is_slept_through() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {}]));
    let before = sleeps();
    let ended = send(get(&format!("{}/a", server.http()), &quick(1.5)));
    let slept = sleeps() - before;
    assert_eq!(ended.waited, ms(1500));
    assert!(slept < 50, "{slept} sleeps");
    assert_eq!(answer(ended).status, 200);
}

#[test]
fn waits_of_no_time_are_none() {
    let server = TestServer::start();
    server.script("a", json!([{"status": 500, "times": 4}, {"body": "done"}]));
    let ended = send(get(&format!("{}/a", server.http()), &quick(0.0)));
    assert_eq!((ended.waited, ended.attempts.len()), (Duration::ZERO, 5));
    assert!(ended.elapsed < ms(500), "{:?}", ended.elapsed);
}
