//! The rate-limited endpoint: every kind of limit and every form of its headers, over real connections.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "test code")]

mod common;

use std::io::Write;
use std::net::Shutdown;
use std::thread;
use std::time::{Duration, Instant};

use common::{Answer, Client, get, request};
use serde_json::Value;
use test_server::{TestServer, json};

fn post(url: &str, path: &str, key: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let mut client = Client::connect(url);
    client.send(&format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    client.answer()
}

/// Until the field has the value, for at most a second.
fn wait_for(server: &TestServer, name: &str, field: &str, value: u64) -> Value {
    let start = Instant::now();
    loop {
        let told = server.limited(name);
        if told[field] == value {
            return told;
        }
        assert!(start.elapsed() < Duration::from_secs(1), "{field}: {told}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_sliding_log_holds_in_any_window() {
    let server = TestServer::start();
    let url = server.http();
    let path = "/limited/s?kind=sliding&limit=5&window_ms=60&retry_after=none";
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut client = Client::connect(url);
                let start = Instant::now();
                while start.elapsed() < Duration::from_millis(300) {
                    client.get(path);
                    client.answer();
                }
            });
        }
    });
    let told = server.limited("s");
    let log = told["log"].as_array().unwrap();
    assert!(log.is_sorted_by_key(|d| d["monotonic_ns"].as_u64().unwrap()));
    let accepted = log.iter().filter(|d| d["allowed"] == true);
    let accepted: Vec<u64> = accepted.map(|d| d["monotonic_ns"].as_u64().unwrap()).collect();
    assert!(accepted.windows(6).all(|w| w[5] - w[0] >= 60_000_000), "{accepted:?}");
    assert!(accepted.len() >= 15, "{accepted:?}");
    assert_eq!(told["first_ns"], log[0]["monotonic_ns"]);
    assert_eq!(told["last_accepted_ns"], accepted[accepted.len() - 1]);
    assert!(told["refused_in_a_row_max"].as_u64().unwrap() > 0);
}

#[test]
fn an_aligned_window_ends_where_it_is_told() {
    let server = TestServer::start();
    let get = |path: &str| get(server.http(), path);
    let path = "/limited/p?limit=1&window_ms=60000&aligned=1&phase_ms=200&retry_after=ms";
    assert_eq!(get(path).status, 200);
    let wait: u64 = get(path).header("retry-after-ms").unwrap().parse().unwrap();
    assert!((1..=200).contains(&wait), "{wait}");
    thread::sleep(Duration::from_millis(wait));
    assert_eq!(get(path).status, 200);
    let wait: u64 = get(path).header("retry-after-ms").unwrap().parse().unwrap();
    assert!((59_000..=60_000).contains(&wait), "{wait}");

    let path = "/limited/m?limit=1&window_ms=100000&aligned=1";
    assert_eq!((get(path).status, get(path).status), (200, 429));
    let told = server.limited("m");
    let refusal = &told["log"][1];
    let end = refusal["monotonic_ns"].as_u64().unwrap() + refusal["retry_after_ns"].as_u64().unwrap();
    assert_eq!(end % 100_000_000_000, 0);

    let path = "/limited/u?limit=1&window_ms=100000&aligned=unix&quota=epoch";
    let reset: u64 = get(path).header("x-ratelimit-reset").unwrap().parse().unwrap();
    assert_eq!(reset % 100, 0);
}

#[test]
fn the_limit_changes_when_it_is_told() {
    let server = TestServer::start();
    let path = "/limited/c?kind=bucket&limit=1&burst=1&window_ms=10000&steps=100:100&retry_after=ms";
    assert_eq!(get(server.http(), path).status, 200);
    let wait = |answer: &Answer| answer.header("retry-after-ms").unwrap().parse::<u64>().unwrap();
    assert!(wait(&get(server.http(), path)) > 9_000);
    thread::sleep(Duration::from_millis(110));
    assert!(wait(&get(server.http(), path)) <= 100);
    thread::sleep(Duration::from_millis(110));
    assert_eq!(get(server.http(), path).status, 200);
}

#[test]
fn concurrency_ends_with_the_answer() {
    let server = TestServer::start();
    let path = "/limited/c?kind=concurrency&limit=2&delay=500&refuse_delay=0&quota=x";
    let mut clients = [(); 3].map(|()| Client::connect(server.http()));
    let start = Instant::now();
    clients[0].get(path);
    clients[1].get(path);
    wait_for(&server, "c", "in_flight", 2);
    clients[2].get(path);
    let refused = clients[2].answer();
    assert!(start.elapsed() < Duration::from_millis(490), "a refusal has no delay here");
    assert_eq!((refused.status, refused.header("retry-after")), (429, None));
    assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
    assert_eq!((clients[0].answer().status, clients[1].answer().status), (200, 200));
    assert!(start.elapsed() >= Duration::from_millis(500));
    // Whoever has the answer finds the place free.
    for _ in 0..20 {
        let path = "/limited/one?kind=concurrency&limit=1";
        clients[0].get(path);
        assert_eq!(clients[0].answer().status, 200);
        clients[1].get(path);
        assert_eq!(clients[1].answer().status, 200);
    }
    let told = server.limited("c");
    assert_eq!((&told["max_in_flight"], &told["in_flight"]), (&json!(2), &json!(0)));
    let in_flight: Vec<_> = told["log"].as_array().unwrap().iter().map(|d| d["in_flight"].clone()).collect();
    assert_eq!(in_flight, [1, 2, 2]);
}

#[test]
fn a_client_that_leaves_frees_its_place() {
    let server = TestServer::start();
    let path = "/limited/k?kind=concurrency&limit=3&delay=60000";
    let mut clients = [(); 3].map(|()| Client::connect(server.http()));
    clients.iter_mut().for_each(|client| client.get(path));
    wait_for(&server, "k", "in_flight", 3);
    assert_eq!(get(server.http(), &path.replace("delay", "refuse_delay=0&delay")).status, 429);
    let [first, second, third] = clients;
    drop(first);
    second.stream.shutdown(Shutdown::Both).unwrap();
    wait_for(&server, "k", "in_flight", 1);
    drop(third);
    let told = wait_for(&server, "k", "in_flight", 0);
    assert_eq!((&told["abandoned"], &told["max_in_flight"]), (&json!(3), &json!(3)));
    // One that dies within its body has never been there, if the body is what is limited by.
    let mut half = Client::connect(server.http());
    half.stream
        .write_all(b"POST /limited/h?by=model HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
        .unwrap();
    drop(half);
    assert_eq!(get(server.http(), "/limited/h?by=model").json()["count"], 1);
}

#[tokio::test]
async fn a_cancelled_stream_and_a_lost_h2_connection_free_their_places() {
    let server = TestServer::start();
    let path = "http://x/limited/h2?kind=concurrency&limit=9&delay=60000";
    let tcp = tokio::net::TcpStream::connect(common::authority(server.h2c())).await.unwrap();
    let (mut send, connection) = h2::client::handshake(tcp).await.unwrap();
    let connection = tokio::spawn(connection);
    let mut one = || send.send_request(http::Request::get(path).body(()).unwrap(), true).unwrap();
    let (cancelled, kept) = (one(), one());
    let in_flight = async |count: u64| {
        for _ in 0..500 {
            if server.limited("h2")["in_flight"] == count {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        false
    };
    assert!(in_flight(2).await);
    drop(cancelled);
    assert!(in_flight(1).await);
    connection.abort();
    assert!(in_flight(0).await);
    drop(kept);
    assert_eq!(server.limited("h2")["abandoned"], 2);
}

#[test]
fn a_body_has_its_cost_and_gets_the_rest_back() {
    let server = TestServer::start();
    let body = json!({"model": "m", "max_tokens": 400, "input": "x".repeat(30)});
    let prompt = body.to_string().len().div_ceil(4) as u64;
    let path = "/limited/t?kind=bucket&limit=1000&window_ms=1000000&cost=body&usage=0.5&quota=openai";
    let first = post(server.http(), path, "k", &body);
    assert_eq!(
        first.json()["usage"],
        json!({"prompt_tokens": prompt, "completion_tokens": 200, "total_tokens": prompt + 200})
    );
    assert_eq!(first.header("x-ratelimit-limit-tokens"), Some("1000"));
    assert_eq!(first.header("x-ratelimit-remaining-tokens"), Some(&*(600 - prompt).to_string()));
    assert_eq!(first.header("x-ratelimit-limit-requests"), None);
    let second = post(server.http(), path, "k", &body);
    let left = 400 - 2 * prompt;
    assert_eq!(second.header("x-ratelimit-remaining-tokens"), Some(&*left.to_string()));
    let told = server.limited("t");
    assert_eq!((&told["accepted_cost"], &told["given_back"]), (&json!(800 + 2 * prompt), &json!(400)));
    assert_eq!(told["log"][1]["cost"], 400 + prompt);
    // A limiter without costs is the same one, and takes one.
    let path = "/limited/n?kind=bucket&limit=50&window_ms=1000000&quota=openai";
    let costs = get(server.http(), &format!("{path}&cost=20"));
    assert_eq!(costs.header("x-ratelimit-remaining-tokens"), Some("30"));
    assert_eq!(get(server.http(), path).header("x-ratelimit-remaining-requests"), Some("29"));
    // All of it is used unless something else is said.
    let path = "/limited/all?kind=bucket&limit=1000&window_ms=1000000&cost=body";
    assert_eq!(post(server.http(), path, "k", &body).json()["usage"]["total_tokens"], 400 + prompt);
    assert_eq!(get(server.http(), "/limited/x?cost=body&usage=2").status, 400);
}

#[test]
fn limiters_by_model_and_by_key() {
    let server = TestServer::start();
    let model = |name: &str| json!({"model": name});
    let status = |path: &str, key: &str, name: &str| post(server.http(), path, key, &model(name)).status;
    let path = "/limited/b?limit=1&window_ms=60000&by=model";
    assert_eq!((status(path, "k", "fast"), status(path, "k", "slow/2")), (200, 200));
    assert_eq!((status(path, "k2", "fast"), status(path, "k", "slow/2")), (429, 429));
    assert_eq!(server.limited("b:fast")["refused"], 1);
    assert_eq!(get(server.url("control"), "/_limited/b%3Aslow%2F2?log=0").json()["refused"], 1);
    assert_eq!(get(server.http(), path).status, 200);
    let list = get(server.url("control"), "/_limited?prefix=b:").json();
    let names: Vec<_> = list.as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["b:-", "b:fast", "b:slow/2"]);
    assert_eq!(list[0].get("log"), None);

    let path = "/limited/k?limit=1&window_ms=60000&by=key";
    assert_eq!((status(path, "k", "a"), status(path, "k", "b"), status(path, "k2", "a")), (200, 429, 200));
    let path = "/limited/both?limit=1&window_ms=60000&by=key,model";
    assert_eq!((status(path, "k", "a"), status(path, "k", "b"), status(path, "k2", "a")), (200, 200, 200));
    let list = get(server.url("control"), "/_limited?prefix=both").json();
    let name = list[0]["name"].as_str().unwrap();
    let [_, key, model] = *name.split(':').collect::<Vec<_>>().as_slice() else { panic!("{name}") };
    assert_eq!((key.len(), list.as_array().unwrap().len(), model.len()), (8, 3, 1));
    request(server.url("control"), "DELETE", "/_limited?prefix=both", "");
    assert_eq!(get(server.url("control"), "/_limited?prefix=both").json(), json!([]));
}

#[test]
fn two_limits_at_once() {
    let server = TestServer::start();
    let path = "/limited/two?kind=bucket&limit=100&window_ms=100000&cost=40&and=window:3:500000\
                &and=tokens:sliding:90:9000&quota=groq";
    let first = get(server.http(), path);
    for (name, value) in [
        ("x-ratelimit-limit-requests", "3"),
        ("x-ratelimit-remaining-requests", "2"),
        ("x-ratelimit-reset-requests", "8m20.00s"),
        ("x-ratelimit-limit-tokens", "100"),
        ("x-ratelimit-remaining-tokens", "60"),
        ("x-ratelimit-reset-tokens", "40.00s"),
    ] {
        assert_eq!(first.header(name), Some(value), "{name}");
    }
    assert_eq!(get(server.http(), path).status, 200);
    // The bucket lacks 20, the sliding log 30 until its oldest leaves: the longer wait is the bucket's.
    let refused = get(server.http(), path);
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("20")));
    assert_eq!(refused.header("x-ratelimit-remaining-requests"), Some("1"));
    let both = get(server.http(), "/limited/d?limit=5&window_ms=60000&and=window:50:3600000&quota=draft");
    assert_eq!(both.header("ratelimit-policy"), Some("\"default\";q=5;w=60, \"1\";q=50;w=3600"));
    assert_eq!(both.header("ratelimit"), Some("\"default\";r=4;t=60, \"1\";r=49;t=3600"));
}

#[test]
fn the_quota_headers_of_all_servers() {
    let server = TestServer::start();
    // A bucket of 40 that refills 10 in 25 s: after one request 39, full in 2.5 s.
    let quota = |style: &str| {
        let path = format!("/limited/q-{style}?kind=bucket&limit=10&window_ms=25000&burst=40&quota={style}");
        get(server.http(), &path)
    };
    for (style, name, value) in [
        ("x", "x-ratelimit-limit", "10"),
        ("x", "x-ratelimit-remaining", "39"),
        ("x", "x-ratelimit-reset", "2.500"),
        ("openai", "x-ratelimit-limit-requests", "40"),
        ("openai", "x-ratelimit-remaining-requests", "39"),
        ("openai", "x-ratelimit-reset-requests", "2.5s"),
        ("azure", "x-ratelimit-remaining-requests", "39"),
        ("azure", "x-ratelimit-reset-requests", "3"),
        ("groq", "x-ratelimit-reset-requests", "2.50s"),
        ("anthropic", "anthropic-ratelimit-requests-limit", "40"),
        ("anthropic", "anthropic-ratelimit-requests-remaining", "39"),
        ("draft", "ratelimit", "\"default\";r=39;t=3"),
        ("draft", "ratelimit-policy", "\"default\";q=10;w=25"),
        ("draft-old", "ratelimit", "limit=10, remaining=39, reset=3"),
        ("draft-oldest", "ratelimit-limit", "10"),
        ("draft-oldest", "ratelimit-remaining", "39"),
        ("draft-oldest", "ratelimit-reset", "3"),
        ("github", "x-ratelimit-resource", "core"),
        ("twitter", "x-rate-limit-limit", "10"),
        ("twitter", "x-rate-limit-remaining", "39"),
        ("discord", "X-RateLimit-Remaining", "39"),
        ("discord", "X-RateLimit-Reset-After", "2.500"),
        ("shopify", "X-Shopify-Shop-Api-Call-Limit", "1/40"),
    ] {
        // A new limiter each time.
        server_forgets(&server, style);
        assert_eq!(quota(style).header(name), Some(value), "{style} {name}");
    }
    assert_eq!(quota("discord").header("x-ratelimit-bucket").unwrap().len(), 32);
    assert!(quota("anthropic").header("anthropic-ratelimit-requests-reset").unwrap().ends_with('Z'));
    let used = get(server.http(), "/limited/gh?limit=7&window_ms=60000&quota=github");
    assert_eq!(
        (used.header("x-ratelimit-used"), used.header("x-ratelimit-remaining")),
        (Some("1"), Some("6"))
    );
    assert_eq!(get(server.http(), "/limited/x?quota=bing").status, 400);
}

fn server_forgets(server: &TestServer, style: &str) {
    request(server.url("control"), "DELETE", &format!("/_limited/q-{style}"), "");
}

#[test]
fn moments_in_quota_headers_are_in_unix_time() {
    let server = TestServer::start();
    for (style, name, per_second) in [
        ("epoch", "x-ratelimit-reset", 1.0),
        ("epoch-ms", "x-ratelimit-reset", 1_000.0),
        ("github", "x-ratelimit-reset", 1.0),
        ("twitter", "x-rate-limit-reset", 1.0),
        ("discord", "x-ratelimit-reset", 1.0),
    ] {
        let answer = get(server.http(), &format!("/limited/{style}?window_ms=60000&quota={style}"));
        let reset: f64 = answer.header(name).unwrap().parse().unwrap();
        let at = server.limited(style)["log"][0]["unix_ns"].as_u64().unwrap() as f64 / 1e9;
        let wait = reset / per_second - at;
        assert!((59.999..=61.001).contains(&wait), "{style}: {wait}");
    }
}

#[test]
fn a_lie_is_told_on_every_answer() {
    let server = TestServer::start();
    let answer = get(server.http(), "/limited/l?limit=5&window_ms=1000&quota_lie=remaining0");
    assert_eq!((answer.status, answer.header("x-ratelimit-remaining")), (200, Some("0")));
    assert_eq!(answer.header("x-ratelimit-reset"), Some("82800.000"));
    let answer = get(server.http(), "/limited/m?quota=openai&quota_lie=remaining0");
    assert_eq!(answer.header("x-ratelimit-reset-requests"), Some("23h0m0s"));
    assert_eq!(get(server.http(), "/limited/l?quota_lie=yes").status, 400);
}

#[test]
fn delays_of_acceptances_and_of_refusals() {
    let server = TestServer::start();
    let timed = |path: &str| {
        let start = Instant::now();
        (get(server.http(), path).status, start.elapsed())
    };
    let path = "/limited/d?limit=1&window_ms=60000&refuse_delay=400";
    let (status, time) = timed(path);
    assert!(status == 200 && time < Duration::from_millis(400), "{time:?}");
    let (status, time) = timed(path);
    assert!(status == 429 && time >= Duration::from_millis(400), "{time:?}");
    let times: Vec<_> = (0..20).map(|_| timed("/limited/j?limit=1000&delay=10&jitter_ms=40").1).collect();
    let (min, max) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    assert!(*min >= Duration::from_millis(10), "{times:?}");
    assert!(*max - *min >= Duration::from_millis(10), "{times:?}");
}
