//! A person waits for a web page: it goes before a batch of twenty.

use client::{Class, Limits, runtime};
use test_server::{Entry, TestServer};

use crate::{
    machine::{Machine, once_under, with_limits},
    support::{children::hear, ends::answer, get, ms, send, servers::until},
};

const TRIES: usize = 10;

/// How many of the pages got the next slot, in one round. `page`: what the web page asks for.
fn next_slots(page: &str) -> usize {
    let (machine, server) = (Machine::new(), TestServer::start());
    let call = |name: &str, log: &str, class| {
        let url = format!("{}/limited/{name}?limit=1000000&log={log}", server.http());
        with_limits(get(&url, &once_under("20/s")), Limits { class, ..Limits::default() })
    };
    let batches: Vec<_> = (0..20)
        .map(|_| machine.start(|| while answer(send(call("a", "batch", Class::Batch))).status == 200 {}))
        .collect();
    until("the batches", || server.log("batch").len() >= 5);
    let (web, mut heard) = machine.telling(|tell| {
        for pause in 0..TRIES as u64 {
            std::thread::sleep(ms(20 + 7 * pause));
            tell(runtime::now().as_nanos());
            assert_eq!(answer(send(call(page, "page", Class::Web))).status, 200);
        }
    });
    let begun: Vec<u64> = (0..TRIES).map(|_| hear(&mut heard)).collect();
    web.wait();
    batches.into_iter().for_each(drop);
    let at = |name: &str| -> Vec<u64> {
        server.log(name).iter().map(|entry: &Entry| entry.monotonic_ns).collect()
    };
    let (others, pages) = (at("batch"), at("page"));
    assert_eq!(pages.len(), TRIES);
    let before = |(begun, page): (&u64, &u64)| {
        // Whose slot was due while the page was about to ask may still be on its way.
        others.iter().filter(|at| (*begun + 5_000_000..*page).contains(at)).count()
    };
    let ranks: Vec<usize> = begun.iter().zip(&pages).map(before).collect();
    println!("batches between: {ranks:?}");
    ranks.iter().filter(|rank| **rank == 0).count()
}

/// Nine of ten, in one of some rounds: a busy machine may wake a page late.
fn get_the_next_slot(page: &str) {
    let mut rounds = Vec::new();
    while rounds.len() < 4 && rounds.last().is_none_or(|count| *count < 9) {
        rounds.push(next_slots(page));
    }
    assert!(rounds.iter().any(|count| *count >= 9), "{rounds:?} of {TRIES}");
}

#[test]
fn a_page_gets_the_next_slot() {
    get_the_next_slot("a");
}

#[test]
fn a_page_that_asks_for_something_else_gets_it_too() {
    get_the_next_slot("other");
}
