//! One goes first to find out whether the gate opens. If it does the others come back one after the other.

use std::time::Duration;

use policy::Options;
use test_server::{TestServer, json};

use crate::{
    machine::{Machine, once, shared},
    support::{
        ends::{answer, gave_up},
        get, ms, options, seconds, send,
        servers::between,
    },
};

const BEFORE: usize = 20;
const WAITING: usize = 8;

#[test]
fn its_acceptance_opens_the_gate_and_the_others_come_back_paced() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let refusal = json!({"status": 429, "headers": [["Retry-After", "600"]]});
    server.script("a", json!([{"times": BEFORE}, refusal, {"delay_ms": 200}, {}]));
    let url = format!("{}/a", server.http());
    machine.run(|| {
        (0..BEFORE).for_each(|_| assert_eq!(answer(send(shared(get(&url, &once())))).status, 200));
        assert_eq!(gave_up(send(shared(get(&url, &once())))).status, 429);
    });
    let brief = Options { max_retry_after: 0.4, base_delay: 0.01, ..options() };
    machine.run_all(WAITING, || {
        let ended = send(shared(get(&url, &brief)));
        assert_eq!(ended.attempts.len(), 1);
        assert_eq!(answer(ended).status, 200);
    });
    let log = server.log("a");
    assert_eq!(log.len(), BEFORE + 1 + WAITING);
    let (refused, scout) = (&log[BEFORE], &log[BEFORE + 1]);
    assert!(between(refused, scout) >= ms(400));
    let after: Vec<Duration> = log[BEFORE + 2..].iter().map(|entry| between(scout, entry)).collect();
    println!("after the scout: {after:?}");
    // Nobody before its answer; then at some 40 per second and rising, not all at once and not in ten minutes.
    assert!(after[0] >= ms(200), "{after:?}");
    assert!(after.last().unwrap() >= &ms(280), "{after:?}");
    assert!(after.last().unwrap() < &seconds(10), "{after:?}");
}
