//! The lane of a batch: so many in flight, and who waits is not.

use std::rc::Rc;

use client::{Call, Lane, runtime};
use policy::{Options, Reason};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, ends, follow_until, in_lane, next_end},
    support::{
        ends::{answer, gave_up, over_budget},
        get, ms, options, quick, reasons, seconds, send,
    },
    together::held,
};

fn lane(width: usize) -> Rc<Lane> {
    Rc::new(Lane::new(width))
}

/// How many wait, and whether none is in flight.
fn stand(lane: &Lane) -> (usize, bool) {
    (lane.waiting(), lane.is_idle())
}

#[test]
fn no_more_than_its_width_are_in_flight() {
    let (server, lane) = (TestServer::start(), lane(3));
    let url = format!("{}/limited/a?limit=1000&delay=40", server.http());
    for _ in 0..12 {
        begin(in_lane(get(&url, &options()), &lane));
    }
    assert!(ends(12).into_iter().all(|(_, ended)| answer(ended).status == 200));
    let decided = server.limited("a");
    assert_eq!((decided["max_in_flight"].as_u64(), decided["accepted"].as_u64()), (Some(3), Some(12)));
    assert_eq!((stand(&lane), lane.waiting_until(), lane.limited()), ((0, true), None, 0));
}

#[test]
fn widths_are_possible_ones() {
    assert_eq!(Lane::new(0).width(), 1);
    assert_eq!(Lane::new(7).width(), 7);
    assert_eq!(Lane::new(usize::MAX).width(), usize::MAX);
    assert!(Lane::new(usize::MAX).is_idle());
}

#[test]
fn places_are_given_in_the_order_of_the_calls() {
    let (server, lane) = (TestServer::start(), lane(1));
    let begun: Vec<_> =
        (0..8).map(|_| begin(in_lane(get(&format!("{}/json", server.http()), &options()), &lane))).collect();
    let ended: Vec<_> = ends(8).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ended, begun);
}

#[test]
fn who_waits_for_a_retry_holds_no_place() {
    let (server, lane) = (TestServer::start(), lane(1));
    server.script("a", json!([{"status": 503}, {"body": "a"}]));
    server.script("b", json!([{"hold": "b", "body": "b"}]));
    let at = |name: &str| in_lane(get(&format!("{}/{name}", server.http()), &quick(0.3)), &lane);
    let (first, second) = (begin(at("a")), begin(at("b")));
    let begun = runtime::now();
    follow_until("the other's request", || server.log("b").len() == 1);
    assert_eq!(stand(&lane), (1, false));
    let due = lane.waiting_until().unwrap();
    assert!(due >= begun.after(ms(300)) && due < runtime::now().after(ms(300)), "{due:?}");
    // The place is taken when the wait is over.
    follow_until("the due time", || runtime::now() >= due.after(ms(20)));
    assert_eq!(server.log("a").len(), 1);
    server.release("b");
    assert_eq!(next_end().0, second);
    let (id, ended) = next_end();
    assert_eq!((id, reasons(&ended.attempts)), (first, vec![Reason::Backoff, Reason::Answered]));
    assert_eq!((stand(&lane), lane.waiting_until()), ((0, true), None));
}

#[test]
fn refusals_are_counted() {
    let (server, lane) = (TestServer::start(), lane(2));
    let refusal = json!({"status": 429, "headers": [["retry-after-ms", "20"]], "times": 2});
    server.script("a", json!([refusal, {"status": 503}, {}]));
    begin(in_lane(get(&format!("{}/a", server.http()), &quick(0.01)), &lane));
    assert_eq!(answer(next_end().1).status, 200);
    assert_eq!(lane.limited(), 2);
}

#[test]
fn a_deadline_comes_before_a_place() {
    let (server, lane) = (TestServer::start(), lane(1));
    let first = begin(in_lane(held(&server, "a"), &lane));
    follow_until("the request", || server.log("a").len() == 1);
    let mut late = in_lane(held(&server, "b"), &lane);
    let start = runtime::now();
    late.deadline = Some(start.after(ms(150)));
    let second = begin(late);
    let (id, ended) = next_end();
    let took = runtime::now().since(start);
    assert_eq!((id, ended.attempts.len()), (second, 0));
    assert!(took >= ms(150) && took < seconds(5), "{took:?}");
    let over = over_budget(ended);
    assert!(over.cut.is_none() && over.response.is_none() && over.left.is_zero(), "{over:?}");
    assert_eq!((stand(&lane), server.log("b").len()), ((0, false), 0));
    server.release("a");
    assert_eq!(next_end().0, first);
    assert!(lane.is_idle());
}

#[test]
fn a_cancelled_call_gives_its_place_back() {
    let (server, lane) = (TestServer::start(), lane(1));
    let names = ["a", "b", "c"];
    let begun = names.map(|name| begin(in_lane(held(&server, name), &lane)));
    for name in ["a", "b"] {
        let place = names.iter().position(|other| *other == name).unwrap();
        follow_until("the request", || server.log(name).len() == 1);
        assert!(names[place + 1..].iter().all(|name| server.log(name).is_empty()));
        runtime::cancel(begun[place]);
    }
    // One that waits for its place takes none with it.
    let waiting = begin(in_lane(held(&server, "d"), &lane));
    follow_until("the request", || server.log("c").len() == 1);
    runtime::cancel(waiting);
    server.release("c");
    assert_eq!(next_end().0, begun[2]);
    assert_eq!((stand(&lane), server.log("d").len()), ((0, true), 0));
}

fn under(server: &TestServer, limit: &str, name: &str) -> Call {
    get(&format!("{}/{name}", server.http()), &Options { limit: Some(limit.into()), ..options() })
}

#[test]
fn who_waits_in_line_waits_until_nothing_in_particular() {
    let (server, lane) = (TestServer::start(), lane(8));
    server.script("a", json!([{}]));
    let begun = runtime::now();
    for _ in 0..4 {
        begin(in_lane(under(&server, "1/s", "a"), &lane));
    }
    assert_eq!(answer(next_end().1).status, 200);
    follow_until("the line", || lane.waiting() == 3);
    assert!(lane.is_idle());
    let until = lane.waiting_until().unwrap();
    let wait = until.since(begun);
    assert!(wait >= seconds(1) && until <= runtime::now().after(seconds(2)), "{wait:?}");
    runtime::cancel_all();
    assert_eq!((stand(&lane), lane.waiting_until()), ((0, true), None));
}

/// It looks again before, but is held back until then.
#[test]
fn who_is_held_back_waits_until_the_gate_opens() {
    let (server, lane) = (TestServer::start(), lane(2));
    server.script("a", json!([{"status": 429, "headers": [["Retry-After", "4"]]}, {}]));
    let url = format!("{}/a", server.http());
    let once = Options { max_attempts: 1, ..options() };
    let begun = runtime::now();
    gave_up(send(get(&url, &once)));
    let told = runtime::now();
    begin(in_lane(get(&url, &options()), &lane));
    for waited in [50, 1200] {
        follow_until("a while", || runtime::now().since(told) >= ms(waited));
        let until = lane.waiting_until().unwrap();
        // The gate is told in microseconds, on another clock.
        let (after, before) = (until.since(begun), until.since(told));
        assert!(after >= ms(3999) && before <= ms(4050), "{after:?} {before:?}");
    }
    runtime::cancel_all();
}

/// A turn is for now: who has one does not wait for a place with it.
#[test]
fn who_comes_to_the_head_of_the_line_takes_its_turn_when_it_has_a_place() {
    let (server, lane) = (TestServer::start(), lane(1));
    server.script("a", json!([{}]));
    let paced = || in_lane(under(&server, "2/s", "a"), &lane);
    begin(paced());
    assert_eq!(answer(next_end().1).status, 200);
    let begun = [(); 3].map(|()| begin(paced()));
    follow_until("the line", || lane.waiting() == 3);
    let other = begin(in_lane(held(&server, "other"), &lane));
    follow_until("the request", || server.log("other").len() == 1);
    // The slot of the first of them comes, and it waits for a place. Then it is gone.
    let due = lane.waiting_until().unwrap();
    follow_until("the slot", || runtime::now() >= due.after(ms(30)));
    runtime::cancel(begun[0]);
    follow_until("the next slot", || runtime::now() >= due.after(ms(600)));
    server.release("other");
    assert_eq!(next_end().0, other);
    let sent = [next_end(), next_end()].map(|(_, ended)| ended.attempts[0].started_at);
    let gap = sent[1].duration_since(sent[0]).unwrap();
    assert!(gap >= ms(499), "{gap:?}");
}
