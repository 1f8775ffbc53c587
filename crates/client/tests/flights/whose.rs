//! Who is waited for: the others move on as well, and their news wait.

use client::{Call, Step, runtime};
use runtime::{Next, Whose};
use test_server::{TestServer, json};

use crate::{
    driving::{begin, next_end, next_end_of, soon, turn_until, watched},
    support::{ends::answer, get, go_on, ms, options, quick},
    together::held,
};

#[test]
fn the_others_move_on_and_their_news_wait_in_order() {
    let server = TestServer::start();
    let awaited = begin(held(&server, "awaited"));
    let others = ["b", "c", "d"].map(|name| {
        server.script(name, json!([{"status": 500}, {"hold": name, "body": name}]));
        let (call, lane) = watched(get(&format!("{}/{name}", server.http()), &quick(0.01)));
        (begin(call), lane, name)
    });
    let order = [1, 2, 0];
    for place in order {
        let (_, lane, name) = &others[place];
        turn_until("the retry", &Whose::One(awaited), || server.log(name).len() == 2);
        server.release(name);
        turn_until("the end", &Whose::One(awaited), || lane.is_idle() && lane.waiting() == 0);
    }
    server.release("awaited");
    assert_eq!(next_end_of(&Whose::One(awaited)).0, awaited);
    for place in order {
        let (id, _, name) = &others[place];
        let (told, ended) = next_end();
        assert_eq!((told, ended.attempts.len(), answer(ended).body), (*id, 2, (*name).into()));
    }
}

#[test]
fn some_are_waited_for() {
    let server = TestServer::start();
    let begun = ["a", "b", "c"].map(|name| (begin(held(&server, name)), name));
    turn_until("the requests", &Whose::All, || begun.iter().all(|(_, name)| server.log(name).len() == 1));
    for (_, name) in &begun {
        server.release(name);
    }
    let (first, last) = (begun[0].0, begun[2].0);
    let those = |id| id == first || id == last;
    let mut told = [next_end_of(&Whose::Those(&those)).0, next_end_of(&Whose::Those(&those)).0];
    told.sort_unstable();
    assert_eq!(told, [first, last]);
    assert!(matches!(runtime::next(&Whose::Those(&those), soon(ms(10))), Next::Idle));
    assert_eq!(next_end().0, begun[1].0);
}

fn hooked(server: &TestServer) -> Call {
    let mut call = get(&format!("{}/json", server.http()), &options());
    call.hooks.attempt = true;
    call
}

#[test]
fn a_question_waits_for_who_answers_it() {
    let server = TestServer::start();
    let (asks, awaited) = (begin(hooked(&server)), begin(held(&server, "a")));
    turn_until("the request", &Whose::One(awaited), || server.log("a").len() == 1);
    server.release("a");
    assert_eq!(next_end_of(&Whose::One(awaited)).0, awaited);
    let next = runtime::next(&Whose::All, None);
    assert!(matches!(next, Next::Step(id, Step::Attempt { number: 1 }) if id == asks), "{next:?}");
    go_on(asks, &Step::Attempt { number: 1 });
    assert_eq!(answer(next_end().1).status, 200);
}

#[test]
fn news_of_a_cancelled_call_are_forgotten() {
    let server = TestServer::start();
    let (first, second) = (begin(hooked(&server)), begin(hooked(&server)));
    let next = runtime::next(&Whose::One(second), None);
    assert!(matches!(next, Next::Step(id, Step::Attempt { .. }) if id == second), "{next:?}");
    runtime::cancel(first);
    // Nor is anything said to the call that is in its place.
    let third = begin(hooked(&server));
    runtime::answer_attempt(first, Vec::new());
    let next = runtime::next(&Whose::All, None);
    assert!(matches!(next, Next::Step(id, Step::Attempt { .. }) if id == third), "{next:?}");
    assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
    runtime::cancel_all();
    assert!(matches!(runtime::next(&Whose::All, None), Next::Idle));
}
