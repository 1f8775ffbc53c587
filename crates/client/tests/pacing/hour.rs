//! A limit that holds for an hour: the machine finds out once per wait, not once per worker.

use client::{End, runtime};
use policy::{Options, Reason};
use test_server::{TestServer, json};

use crate::{
    machine::{Machine, shared},
    support::{children::hear, get, ms, options, seconds, send},
};

const PROCESSES: usize = 6;
const ATTEMPTS: u32 = 5;

#[test]
fn one_request_per_wait_and_each_call_ends() {
    let (machine, server) = (Machine::new(), TestServer::start());
    server.script("a", json!([{"status": 429, "headers": [["Retry-After", "3600"]]}]));
    let url = format!("{}/a", server.http());
    let brief = Options {
        max_retry_after: 0.3,
        base_delay: 0.01,
        multiplier: 1.0,
        max_attempts: ATTEMPTS.into(),
        ..options()
    };
    let begun = runtime::now();
    let until = begun.after(seconds(3));
    let mut children: Vec<_> = (0..PROCESSES)
        .map(|_| {
            machine.telling(|tell| {
                let mut sent = 0;
                while runtime::now() < until {
                    let ended = send(shared(get(&url, &brief)));
                    let count = ended.attempts.len() as u32;
                    sent += u64::from(count);
                    let last = ended.attempts.last().map(|attempt| attempt.reason);
                    match ended.end {
                        End::RateLimited { retry_after, .. } => {
                            assert!(retry_after > seconds(3000), "{retry_after:?}");
                            assert!(count < ATTEMPTS && last.is_none_or(|last| last == Reason::RateLimited));
                        }
                        End::GaveUp(_) => {
                            assert_eq!((count, last), (ATTEMPTS, Some(Reason::AttemptsExhausted)));
                        }
                        other => panic!("{other:?}"),
                    }
                    // So many waits of 0.3 s, and time for a busy machine.
                    assert!(ended.waited >= ms(300) * (ATTEMPTS - 1), "{:?}", ended.waited);
                    assert!(ended.elapsed < ms(300) * ATTEMPTS + seconds(3), "{:?}", ended.elapsed);
                }
                tell(sent);
            })
        })
        .collect();
    let sent: u64 = children.iter_mut().map(|(_, heard)| hear(heard)).sum();
    let took = runtime::now().since(begun);
    children.into_iter().for_each(|(child, _)| child.wait());
    let count = server.log("a").len();
    assert_eq!(sent, count as u64, "charged what was sent, and nothing else");
    // The first time nobody knows yet.
    let most = PROCESSES + took.div_duration_f64(ms(300)).ceil() as usize + 2;
    println!("{count} requests in {took:?}, at most {most}");
    assert!((5..=most).contains(&count), "{count} of {most} in {took:?}");
}
