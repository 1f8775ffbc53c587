//! Calls for the tests, and a driver that answers every step.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::{sync::Arc, time::Duration};

use client::{
    Body, Call, Ended, Failed, Hooks, ProxyChoice, Request, Response, Route, Sink, Step, Tls, VirtualClock,
    runtime::{self, CallId},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Version};
use policy::{Attempt, FailureKind, Options, Reason};

pub fn options() -> Options {
    Options { jitter: 0.0, ..Options::default() }
}

pub fn route() -> Route {
    Route { proxy: ProxyChoice::None, tls: Tls::default(), decode: true }
}

pub fn call(method: Method, uri: &str, options: &Options) -> Call {
    Call {
        request: Request {
            method,
            uri: uri.parse().unwrap(),
            headers: HeaderMap::new(),
            body: Body::default(),
        },
        settings: Arc::new(options.validate().unwrap()),
        route: Arc::new(route()),
        deadline: None,
        max_body: 64 * 1024 * 1024,
        sink: Sink::Memory,
        sink_errors: true,
        hooks: Hooks::default(),
        limit_key: None,
    }
}

pub fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Response {
    let header = |(name, value): &(&str, &str)| {
        (name.parse::<HeaderName>().unwrap(), value.parse::<HeaderValue>().unwrap())
    };
    Response {
        status,
        reason_phrase: Vec::new(),
        version: Version::HTTP_11,
        headers: headers.iter().map(header).collect(),
        body: body.to_owned().into(),
        uri: "http://api.test/".parse().unwrap(),
        retry_after: None,
    }
}

pub fn failed(kind: FailureKind, unsent: bool) -> Failed {
    Failed { kind, message: "broken".into(), unsent, permanent: false }
}

/// Drives a networked call that has no hooks to its end.
pub fn send(call: Call) -> Ended {
    drive_to_end(runtime::begin(call), |step| panic!("unexpected {step:?}"))
}

pub fn drive_to_end(id: CallId, mut answer: impl FnMut(Step)) -> Ended {
    loop {
        match runtime::drive(id) {
            Step::Done(ended) => return *ended,
            step => answer(step),
        }
    }
}

/// Runs a call over scripted answers; gives back its end and the requests it sent.
pub fn play(
    call: Call,
    clock: &VirtualClock,
    answers: Vec<Result<Response, Failed>>,
) -> (Ended, Vec<Request>) {
    let mut answers = answers.into_iter();
    let mut requests = Vec::new();
    let id = runtime::begin_scripted(call, clock);
    let ended = drive_to_end(id, |step| match step {
        Step::Exchange(request) => {
            requests.push(request);
            runtime::answer_exchange(id, answers.next().expect("one answer more than scripted"));
        }
        other => panic!("unexpected {other:?}"),
    });
    assert_eq!(answers.count(), 0, "answers left over");
    (ended, requests)
}

pub fn waits(attempts: &[Attempt]) -> Vec<Duration> {
    attempts.iter().map(|attempt| attempt.wait).collect()
}

pub fn reasons(attempts: &[Attempt]) -> Vec<Reason> {
    attempts.iter().map(|attempt| attempt.reason).collect()
}
