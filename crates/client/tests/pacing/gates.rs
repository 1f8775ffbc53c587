//! A refusal that one process meets holds back the others, and nobody whom it does not concern.

use std::time::Duration;

use client::{Call, Limits, runtime};
use test_server::{TestServer, json};

use crate::{
    machine::{Machine, once, shared, with_limits},
    support::{
        ends::{answer, gave_up, over_budget},
        get, ms, options, post, seconds, send,
        servers::between,
        with_header,
    },
};

/// Refuses the first request for so many seconds.
fn refusing(server: &TestServer, name: &str, retry_after: u32) -> String {
    let refusal = json!({"status": 429, "headers": [["Retry-After", retry_after.to_string()]]});
    server.script(name, json!([refusal, {}]));
    format!("{}/{name}", server.http())
}

#[test]
fn another_process_waits_until_the_time_the_server_named() {
    let server = TestServer::start();
    let mut late = Vec::new();
    for round in 0..3 {
        let machine = Machine::new();
        let name = format!("a{round}");
        let url = refusing(&server, &name, 1);
        machine.run(|| assert_eq!(gave_up(send(shared(get(&url, &once())))).status, 429));
        machine.run_all(2, || {
            let ended = send(shared(get(&url, &options())));
            assert_eq!(ended.attempts.len(), 1, "what it waited for is no attempt: {ended:?}");
            assert!(ended.waited > Duration::ZERO);
            assert_eq!(answer(ended).status, 200);
        });
        let log = server.log(&name);
        assert_eq!(log.len(), 3);
        let waited = between(&log[0], &log[1]);
        assert!(waited >= seconds(1), "{waited:?}");
        late.push(waited.saturating_sub(seconds(1)));
    }
    assert!(late.iter().min().unwrap() < &ms(60), "{late:?}");
}

/// What the server says to somebody it refuses for long, and what then becomes of the call `other`.
fn after_refusal_of(refused: impl Fn(&str) -> Call, other: impl Fn(&str) -> Call, is_held: bool) {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = refusing(&server, "a", 25);
    machine.run(|| assert_eq!(gave_up(send(refused(&url))).status, 429));
    machine.run(|| {
        let mut call = other(&url);
        call.deadline = Some(runtime::now().after(seconds(15)));
        let ended = send(call);
        if is_held {
            let over = over_budget(ended);
            assert!(over.response.is_none() && over.needed > seconds(15), "{over:?}");
            assert_eq!(over.retry_after, Some(over.needed));
        } else {
            assert_eq!(answer(ended).status, 200);
        }
    });
}

fn plain(url: &str) -> Call {
    shared(get(url, &once()))
}

fn with_model(url: &str, model: &str) -> Call {
    let body = format!(r#"{{"model":"{model}","input":"x"}}"#);
    with_header(shared(post(url, body, &once())), "content-type", "application/json")
}

fn keyed(url: &str, key: &str) -> Call {
    with_limits(get(url, &once()), Limits { key: Some(key.into()), ..Limits::default() })
}

#[test]
fn whom_it_concerns() {
    after_refusal_of(plain, plain, true);
    after_refusal_of(|url| with_model(url, "m"), |url| with_model(&format!("{url}/other"), "m"), true);
    after_refusal_of(|url| keyed(url, "k"), |url| keyed(&format!("{url}/other"), "k"), true);
}

#[test]
fn whom_it_does_not_concern() {
    after_refusal_of(plain, |url| get(url, &once()), false);
    after_refusal_of(|url| get(url, &once()), plain, false);
    after_refusal_of(plain, |url| plain(&format!("{url}/other")), false);
    after_refusal_of(|url| with_model(url, "m"), |url| with_model(url, "n"), false);
    after_refusal_of(|url| keyed(url, "k"), |url| keyed(url, "l"), false);
    let token = |url: &str, token: &str| with_header(plain(url), "authorization", token);
    after_refusal_of(|url| token(url, "Bearer one"), |url| token(url, "Bearer two"), false);
}

#[test]
fn two_models_refused_shortly_after_each_other_are_the_accounts() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let refusal = json!({"status": 429, "headers": [["Retry-After", "25"]], "times": 2});
    server.script("a", json!([refusal, {}]));
    let url = format!("{}/a", server.http());
    let (first, second, third) = (with_model(&url, "m"), with_model(&url, "n"), with_model(&url, "o"));
    machine.run(|| {
        assert_eq!(gave_up(send(first)).status, 429);
        assert_eq!(gave_up(send(second)).status, 429);
    });
    machine.run(|| {
        let mut call = third;
        call.deadline = Some(runtime::now().after(seconds(15)));
        over_budget(send(call));
    });
    assert_eq!(server.log("a").len(), 2);
}

#[test]
fn another_machine_knows_nothing_of_it() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = refusing(&server, "a", 25);
    machine.run(|| assert_eq!(gave_up(send(plain(&url))).status, 429));
    Machine::new().run(|| assert_eq!(answer(send(plain(&url))).status, 200));
}
