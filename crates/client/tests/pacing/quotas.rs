//! Headers that say what is left: once one answer has said so nobody is refused.

use test_server::TestServer;

use crate::{
    machine::{Machine, decided, shared},
    support::{ends::answer, get, options, send},
};

/// How many were refused after the first answer.
fn refused(rule: &str) -> u64 {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/limited/a?{rule}", server.http());
    let fetch = || assert_eq!(answer(send(shared(get(&url, &options())))).status, 200);
    machine.run(fetch);
    machine.run_all(8, || (0..8).for_each(|_| fetch()));
    assert_eq!(decided(&server, "a", "accepted"), 65);
    decided(&server, "a", "refused")
}

/// A busy machine may bring a request so late that it is counted in the next window: once in a while.
fn is_never_refused(rule: &str) {
    let mut rounds = Vec::new();
    while rounds.len() < 3 && rounds.last() != Some(&0) {
        rounds.push(refused(rule));
    }
    assert!(rounds.last() == Some(&0) && rounds.iter().all(|refused| *refused <= 4), "{rule}: {rounds:?}");
}

#[test]
fn openai() {
    is_never_refused("kind=bucket&limit=30&window_ms=1000&burst=10&quota=openai");
}

#[test]
fn anthropic() {
    is_never_refused("kind=bucket&limit=60&window_ms=60000&quota=anthropic");
}

#[test]
fn draft() {
    is_never_refused("kind=window&limit=30&window_ms=1000&quota=draft");
}
