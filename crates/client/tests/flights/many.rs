//! Hundreds of calls that wait for all sorts of things.

use std::{collections::BTreeMap, rc::Rc};

use client::{Lane, runtime};
use runtime::{Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, ends, in_lane},
    support::{ends::answer, get, quick, with_header},
};

const CALLS: usize = 300;

/// The n-th of them, and its body.
fn mixed(server: &TestServer, n: usize) -> (client::Call, String) {
    let name = format!("n{n}");
    let script = match n % 5 {
        0 => json!([{"body": name, "delay_ms": n % 90}]),
        1 => json!([{"status": 500}, {"body": name}]),
        2 => json!([{"status": 429, "headers": [["retry-after-ms", (n % 70).to_string()]]}, {"body": name}]),
        3 => json!([{"action": "reset"}, {"body": name, "drip": {"bytes": 1, "every_ms": 2}}]),
        _ => {
            json!([{"action": "redirect", "location": format!("/n{n}")}, {"body": name, "encoding": "gzip"}])
        }
    };
    server.script(&name, script);
    // Keys of their own: what one is refused holds back no other.
    let call = get(&format!("{}/{name}", server.http()), &quick(0.001 * (n % 60) as f64));
    (with_header(call, "x-api-key", &name), name)
}

fn all_end_with_their_own(lane: Option<&Rc<Lane>>) {
    let server = TestServer::start();
    let mut bodies = BTreeMap::new();
    for n in 0..CALLS {
        let (call, body) = mixed(&server, n);
        let call = lane.map_or(call.clone(), |lane| in_lane(call, lane));
        bodies.insert(begin(call), body);
    }
    for (id, ended) in ends(CALLS) {
        let body = bodies.remove(&id).expect("an end of its own");
        assert_eq!(answer(ended).body, body);
    }
    assert!(bodies.is_empty() && matches!(runtime::next(&Whose::All, None), Next::Idle));
}

#[test]
fn all_end_with_their_own_answers() {
    all_end_with_their_own(None);
}

#[test]
fn so_they_do_in_a_lane() {
    let lane = Rc::new(Lane::new(20));
    all_end_with_their_own(Some(&lane));
    assert_eq!((lane.waiting(), lane.is_idle(), lane.limited()), (0, true, CALLS as u64 / 5));
}
