//! Where nothing can be shared each process keeps its limits by itself.

use std::{fs, path::PathBuf};

use client::{Limits, SharedMemory, Step, keep_state_at, runtime, stats};
use test_server::TestServer;

use crate::{
    machine::{Machine, decided, once_under, shared, with_limits},
    support::{children::Child, ends::answer, get, ms, seconds, send},
};

/// Three processes at once: none knows of the other, and each keeps to its limit itself.
fn each_by_itself(server: &TestServer, start: impl Fn(&dyn Fn()) -> Child) {
    let url = format!("{}/limited/a?limit=1000", server.http());
    let children: Vec<_> = (0..3)
        .map(|_| {
            start(&|| {
                let begun = runtime::now();
                for n in 0..4 {
                    let mut call = shared(get(&url, &once_under("10/s, 1 at once")));
                    call.deadline = Some(runtime::now().after(seconds(20)));
                    assert_eq!(answer(send(call)).status, 200);
                    assert!(runtime::now().since(begun) >= ms(100) * n);
                }
                let own = stats(false);
                assert!(
                    own.keys.iter().any(|key| (key.limit.as_deref(), key.sent) == (Some("10/s"), 4)),
                    "{own:?}"
                );
            })
        })
        .collect();
    children.into_iter().for_each(Child::wait);
    assert_eq!(decided(server, "a", "accepted"), 12);
}

fn at_place(place: &SharedMemory, reason: Option<&str>) {
    let server = TestServer::start();
    each_by_itself(&server, |work| {
        Child::start(|| {
            keep_state_at(place.clone());
            work();
            let state = stats(false).state;
            assert_eq!((state.path, state.processes), (None, 1));
            assert_eq!(state.reason.is_some(), reason.is_some());
            if let Some(reason) = reason {
                assert!(state.reason.as_ref().unwrap().contains(reason), "{:?}", state.reason);
            }
        })
    });
}

#[test]
fn no_file_is_wanted() {
    at_place(&SharedMemory::None, None);
}

#[test]
fn no_file_is_possible() {
    let machine = Machine::new();
    let foreign = machine.folder().join("precious");
    fs::write(&foreign, "another program's").unwrap();
    at_place(&SharedMemory::At(foreign.clone()), Some("another program's file"));
    assert_eq!(fs::read(&foreign).unwrap(), b"another program's");
    at_place(&SharedMemory::At(PathBuf::from("/proc/self/nothing")), Some("/proc/self"));
    at_place(&SharedMemory::At("relative".into()), Some("absolute"));
}

/// Uses so many keys without sending anything.
fn use_keys(count: usize, url: &str) {
    for n in 0..count {
        let limits = Limits { key: Some(format!("key {n}")), ..Limits::default() };
        let mut call = with_limits(get(url, &crate::machine::once()), limits);
        call.hooks.attempt = true;
        let id = runtime::begin(call);
        assert!(matches!(runtime::drive(id), Step::Attempt { .. }));
        runtime::cancel(id);
    }
}

#[test]
fn the_table_is_full() {
    let (machine, server) = (Machine::new(), TestServer::start());
    let url = format!("{}/json", server.http());
    machine.run(|| {
        use_keys(4096, &url);
        let stats = stats(true);
        assert_eq!((stats.keys.len(), stats.state.full), (4096, false));
        use_keys(4097, &url);
        assert!(client::stats(true).state.full);
    });
    each_by_itself(&server, |work| {
        machine.start(|| {
            work();
            let stats = stats(false);
            assert!(stats.state.full && stats.state.path.is_some(), "{:?}", stats.state);
        })
    });
    // What has a place in it is shared still.
    let limits = || Limits { key: Some("key 7".into()), ..Limits::default() };
    machine.run(|| {
        let id = runtime::begin(with_limits(get(&url, &crate::machine::once()), limits()));
        let Step::Done(ended) = runtime::drive(id) else { panic!() };
        assert_eq!(answer(*ended).status, 200);
        assert!(stats(false).keys.iter().any(|key| key.sent >= 2));
    });
}
