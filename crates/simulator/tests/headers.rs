//! The code that ships understands what the simulated servers say.

use std::time::Duration;

use policy::quota_headers::{Kind, read};
use simulator::{
    clock,
    limits::{Begin, Bucket, Limit, Window},
    quota::Family,
    server::{Says, Server},
};

/// What is left and the time of the reset, after two requests.
fn told(limit: Limit, family: Family) -> Option<(Option<u64>, u64, Option<Duration>, Kind)> {
    let mut server = Server { quota: Some(family), ..Server::new(limit, Says::Nothing) };
    server.hit(0, 0.0, 1.0);
    let answer = server.hit(0, 0.0, 1.0);
    let quotas = read(&answer.headers, clock::wall(0.0));
    quotas.first().map(|quota| (quota.limit, quota.remaining, quota.reset, quota.kind))
}

#[test]
fn quotas_are_read_as_they_were_meant() {
    let bucket = || Limit::Bucket(Bucket::new(5.0, 300.0));
    let window = || Limit::Window(Window::new(100.0, 10.0, Begin::At(3.63)));
    let millis = |millis| Some(Duration::from_millis(millis));
    for (limit, family, expected) in [
        (bucket(), Family::OpenAi, (Some(300), 298, millis(400), Kind::Full)),
        (bucket(), Family::OpenAiTokens, (Some(300), 298, millis(400), Kind::Full)),
        // The date is the next whole second.
        (bucket(), Family::Anthropic, (Some(300), 298, millis(630), Kind::Full)),
        (window(), Family::Draft, (Some(100), 98, millis(4000), Kind::Window)),
        (window(), Family::Epoch, (Some(100), 98, millis(3630), Kind::Window)),
    ] {
        assert_eq!(told(limit, family), Some(expected), "{family:?}");
    }
}
