//! A signal in each place where a call can wait.

use std::time::Duration;

use client::{Call, Ended, Step, runtime};
use policy::Options;
use test_server::{TestServer, json};

use crate::{
    alarm::{self, Alarm},
    support::{
        ends::{answer, over_budget},
        get, ms, options, quick,
        servers::{between, blackhole, over, trusting},
    },
};

/// Drives the call to its end; gives back how long after each handler's run the driver heard of it.
pub fn drive(call: Call) -> (Ended, Vec<Duration>) {
    let id = runtime::begin(call);
    let mut heard = Vec::new();
    loop {
        match runtime::drive(id) {
            Step::Interrupted => {
                heard.push(alarm::age());
                alarm::served();
            }
            Step::Done(ended) => return (*ended, heard),
            step => panic!("{step:?}"),
        }
    }
}

/// What a quarter of them keep: a busy machine may hold up the others.
pub fn typical(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 4]
}

#[test]
fn a_backoff_is_interrupted_and_goes_on_to_its_due_time() {
    alarm::install();
    let server = TestServer::start();
    server.script("a", json!({"steps": [{"status": 500}, {}], "then": "cycle"}));
    let mut all = Vec::new();
    for _ in 0..9 {
        let _alarm = Alarm::once(ms(60));
        let (ended, heard) = drive(get(&format!("{}/a", server.http()), &quick(0.2)));
        assert_eq!(heard.len(), 1);
        assert!(heard[0] < ms(300), "{heard:?}");
        all.extend(heard);
        let sending: Duration = ended.attempts.iter().map(|attempt| attempt.duration).sum();
        assert!(ended.elapsed >= ms(200) && ended.elapsed < ms(300) + sending, "{ended:?}");
        assert_eq!(ended.waited, ms(200));
        assert_eq!(answer(ended).status, 200);
    }
    assert!(typical(all.clone()) < ms(10), "{all:?}");
}

/// The call waits for something that never comes, until its deadline.
#[track_caller]
fn is_interrupted_while(what: &str, begin: impl Fn() -> Call) {
    let mut all = Vec::new();
    for _ in 0..4 {
        let mut call = begin();
        let _alarm = Alarm::once(ms(50));
        let start = runtime::now();
        call.deadline = Some(start.after(ms(200)));
        let (ended, heard) = drive(call);
        let took = runtime::now().since(start);
        assert_eq!(heard.len(), 1, "{what}");
        assert!(heard[0] < ms(300), "{what}: {heard:?}");
        assert!(took >= ms(200) && took < ms(700), "{what}: {took:?}");
        assert!(over_budget(ended).cut.is_some(), "{what}");
        all.extend(heard);
    }
    assert!(typical(all.clone()) < ms(10), "{what}: {all:?}");
}

#[test]
fn so_is_everything_else_that_waits() {
    alarm::install();
    let server = TestServer::start();
    server.script("head", json!([{"action": "stall"}]));
    server.script("body", json!([{"action": "half", "body": "0123456789", "end": "stall"}]));
    server.script("upload", json!([{"action": "stall", "read_body": false}]));
    let at = |name: &str| get(&format!("{}/{name}", server.http()), &options());
    is_interrupted_while("head", || at("head"));
    is_interrupted_while("body", || at("body"));
    is_interrupted_while("upload", || {
        let mut call = at("upload");
        call.request.body = client::Body::bytes(vec![0; 16 * 1024 * 1024]);
        call
    });
    is_interrupted_while("tls", || over(get(server.url("tls_stall"), &options()), trusting(&server)));
    if let Some(url) = blackhole(&server) {
        is_interrupted_while("connect", || get(&url, &options()));
    }
}

#[test]
fn many_signals_neither_shorten_nor_stretch_a_wait() {
    alarm::install();
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {}]));
    let _alarm = Alarm::start(ms(1), ms(3));
    let (ended, heard) = drive(get(&format!("{}/a", server.http()), &quick(0.3)));
    let sending: Duration = ended.attempts.iter().map(|attempt| attempt.duration).sum();
    assert!(heard.len() >= 30, "{}", heard.len());
    assert!(ended.elapsed >= ms(300) && ended.elapsed < ms(450) + sending, "{ended:?}");
}

#[test]
fn a_signal_in_the_last_stretch_does_not_shorten_it() {
    alarm::install();
    let server = TestServer::start();
    server.script("a", json!({"steps": [{"status": 500}, {}], "then": "cycle"}));
    let url = format!("{}/a", server.http());
    // From here on a wait lies wholly in the last stretch, where it sleeps in the kernel.
    for _ in 0..40 {
        let _alarm = Alarm::start(Duration::from_micros(300), Duration::from_micros(700));
        server.clear_log("a");
        let (ended, _) = drive(get(&url, &quick(0.0035)));
        assert_eq!(answer(ended).status, 200);
        let log = server.log("a");
        let gap = between(&log[0], &log[1]);
        assert!(gap >= Duration::from_micros(3500), "{gap:?}");
    }
}

#[test]
fn a_handler_that_leaves_nothing_to_do_is_not_reported() {
    alarm::install();
    alarm::be_quiet();
    let server = TestServer::start();
    server.script("a", json!([{"status": 500}, {"body": "x", "delay_ms": 100}]));
    let _alarm = Alarm::start(ms(2), ms(2));
    let (ended, heard) = drive(get(&format!("{}/a", server.http()), &quick(0.1)));
    assert!(heard.is_empty());
    assert!(alarm::handled() >= 20, "{}", alarm::handled());
    assert!(ended.elapsed >= ms(200), "{ended:?}");
    assert_eq!(answer(ended).body, "x");
}

#[test]
fn what_is_pending_before_the_call_is_reported_until_it_is_served() {
    alarm::install();
    let server = TestServer::start();
    let id = runtime::begin(get(&format!("{}/delay/100", server.http()), &options()));
    alarm::set_pending();
    for _ in 0..5 {
        assert!(matches!(runtime::drive(id), Step::Interrupted));
    }
    alarm::served();
    let Step::Done(ended) = runtime::drive(id) else { panic!() };
    assert_eq!(answer(*ended).body, "ok\n");
}

#[test]
fn a_timeout_is_kept_under_signals() {
    alarm::install();
    let server = TestServer::start();
    server.script("a", json!([{"action": "stall"}]));
    let _alarm = Alarm::start(ms(5), ms(5));
    let brief = Options { timeout: 0.2, max_attempts: 1, ..options() };
    let (ended, heard) = drive(get(&format!("{}/a", server.http()), &brief));
    assert!(heard.len() >= 10, "{}", heard.len());
    assert!(ended.elapsed >= ms(200) && ended.elapsed < ms(700), "{ended:?}");
}
