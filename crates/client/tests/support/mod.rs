//! Calls for the tests, and drivers that answer every step.

#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod children;
pub mod ends;
pub mod forked;
pub mod scripts;
pub mod servers;
pub mod sleeps;

use std::{sync::Arc, time::Duration};

use client::{
    Body, Call, Ended, Failed, Hooks, Hosts, HttpVersion, Limits, ProxyChoice, Request, Response, Route,
    Sink, Step, Tls,
    runtime::{self, CallId},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Version};
use policy::{Attempt, FailureKind, Options, Reason};

pub fn options() -> Options {
    Options { jitter: 0.0, ..Options::default() }
}

/// Retries after `base` seconds each time, so that a test is soon over.
pub fn quick(base: f64) -> Options {
    Options { base_delay: base, multiplier: 1.0, ..options() }
}

pub fn route() -> Route {
    Route {
        proxy: ProxyChoice::None,
        tls: Tls::default(),
        hosts: Hosts::default(),
        http_version: HttpVersion::default(),
        decode: true,
    }
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
        budget: None,
        max_body: 64 * 1024 * 1024,
        sink: Sink::Memory,
        sink_errors: true,
        hooks: Hooks::default(),
        // Each test knows only its own.
        limits: Limits { share: false, ..Limits::default() },
        lane: None,
    }
}

pub fn get(uri: &str, options: &Options) -> Call {
    call(Method::GET, uri, options)
}

pub fn post(uri: &str, body: impl Into<bytes::Bytes>, options: &Options) -> Call {
    let mut call = call(Method::POST, uri, options);
    call.request.body = Body::bytes(body);
    call
}

pub fn with_header(mut call: Call, name: &'static str, value: &str) -> Call {
    call.request.headers.append(name, value.parse().unwrap());
    call
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
        removed: Vec::new(),
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

/// Answers a step so that the call goes on.
pub fn go_on(id: CallId, step: &Step) {
    match step {
        Step::Attempt { .. } => runtime::answer_attempt(id, Vec::new()),
        Step::Outcome { .. } => runtime::answer_outcome(id),
        Step::Retry { .. } => runtime::answer_retry(id, true),
        Step::SinkWrite(_) | Step::SinkRewind => runtime::answer_sink(id, Ok(())),
        Step::Room { .. } => runtime::answer_room(id, None),
        Step::Interrupted | Step::Moved => {}
        Step::Exchange(_) | Step::Done(_) => panic!("unexpected {step:?}"),
    }
}

pub fn all_hooks() -> Hooks {
    Hooks { attempt: true, retry: true, outcome: true }
}

pub fn waits(attempts: &[Attempt]) -> Vec<Duration> {
    attempts.iter().map(|attempt| attempt.wait).collect()
}

pub fn reasons(attempts: &[Attempt]) -> Vec<Reason> {
    attempts.iter().map(|attempt| attempt.reason).collect()
}

pub fn statuses(attempts: &[Attempt]) -> Vec<Option<u16>> {
    attempts.iter().map(|attempt| attempt.status).collect()
}

pub const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}
