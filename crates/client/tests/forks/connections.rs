//! Connections that are kept when a process forks stay with the parent.

use client::runtime;
use test_server::{TestServer, json};

use crate::support::{
    ends::answer,
    forked::{in_child, start_child, wait_for},
    get, options, send,
    servers::{connections, count, distinct, over, trusting},
};

const LISTENERS: [&str; 3] = ["http", "https", "h2"];

fn fetch(server: &TestServer, listener: &str) {
    let asked = over(get(&format!("{}/{listener}", server.url(listener)), &options()), trusting(server));
    let ended = send(asked);
    assert_eq!(ended.attempts.len(), 1, "{listener}: {:?}", ended.attempts);
    assert_eq!(answer(ended).body, "x", "{listener}");
}

fn started() -> TestServer {
    let server = TestServer::start();
    for listener in LISTENERS {
        server.script(listener, json!([{"body": "x"}]));
    }
    server
}

#[test]
fn the_child_sends_on_its_own_and_the_parent_goes_on() {
    let server = started();
    for listener in LISTENERS {
        fetch(&server, listener);
        in_child(|| (0..3).for_each(|_| fetch(&server, listener)));
        fetch(&server, listener);
        in_child(|| fetch(&server, listener));
        fetch(&server, listener);
        let used = connections(&server, listener);
        let (parent, first, second) = (used[0], used[1], used[5]);
        assert_eq!(used, [parent, first, first, first, parent, second, parent], "{listener}");
        assert_eq!(distinct(vec![parent, first, second]), 3, "{listener}");
    }
}

#[test]
fn however_the_child_ends_the_parent_goes_on() {
    let server = started();
    let ways: [fn(); 4] = [
        || {},
        runtime::shut_down,
        runtime::cancel_all,
        // Runs the destructors of this thread, the event loop's among them.
        || {
            // SAFETY: the child has one thread, and what its exit handlers use is its own.
            unsafe { libc::exit(0) }
        },
    ];
    for listener in LISTENERS {
        for (n, end) in ways.iter().enumerate() {
            for uses_client in [false, true] {
                fetch(&server, listener);
                in_child(|| {
                    if uses_client {
                        fetch(&server, listener);
                    }
                    end();
                });
                server.clear_log(listener);
                fetch(&server, listener);
                fetch(&server, listener);
                let used = connections(&server, listener);
                assert_eq!(used[0], used[1], "{listener} {n}");
            }
        }
    }
    // One each, kept from the first to the last.
    for listener in LISTENERS {
        assert_eq!(count(&server, listener, "open"), 1, "{listener}");
    }
}

#[test]
fn many_children_at_once() {
    let server = started();
    fetch(&server, "https");
    let children: Vec<_> =
        (0..8).map(|_| start_child(|| (0..5).for_each(|_| fetch(&server, "https")))).collect();
    (0..5).for_each(|_| fetch(&server, "https"));
    children.into_iter().for_each(wait_for);
    fetch(&server, "https");
    assert_eq!(server.log("https").len(), 1 + 8 * 5 + 5 + 1);
    assert_eq!(distinct(connections(&server, "https")), 1 + 8);
}

#[test]
fn a_grandchild_has_its_own_too() {
    let server = started();
    fetch(&server, "http");
    in_child(|| {
        fetch(&server, "http");
        in_child(|| fetch(&server, "http"));
        fetch(&server, "http");
    });
    fetch(&server, "http");
    let used = connections(&server, "http");
    assert_eq!(used, [used[0], used[1], used[2], used[1], used[0]]);
    assert_eq!(distinct(used), 3);
}

#[test]
fn a_process_that_forks_before_its_first_call() {
    let server = started();
    in_child(|| fetch(&server, "https"));
    fetch(&server, "https");
    assert_eq!(distinct(connections(&server, "https")), 2);
}

#[test]
fn threads_that_look_up_names_come_along_in_no_child() {
    let server = started();
    let local = server.http().replacen("127.0.0.1", "localhost", 1);
    let fetch = || answer(send(get(&format!("{local}/http"), &options())));
    fetch();
    in_child(|| {
        fetch();
        runtime::shut_down();
    });
    fetch();
}
