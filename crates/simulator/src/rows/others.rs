//! Models, killed workers, machines, and rows that ask nothing.

use super::{asks, bucket, window};
use crate::{
    limits::{Begin, Bucket, Concurrency, Limit, Log},
    quota::Family,
    row::{BLUNT, Best, Costs, Queue, Row, Target},
    server::Says,
};

pub fn rows() -> Vec<Row> {
    [models(), killed(), machines(), free(), wider(), pages()].concat()
}

/// Two models behind one API key, each with hands of its own.
fn models() -> Vec<Row> {
    let row = |says| {
        let pools = [(1.0, 6.0, 100), (20.0, 20.0, 1600)];
        Row {
            name: format!("{}/models/1-and-20/w8+8/300ms", super::kind(says)),
            limits: pools.map(|(rate, burst, _)| Limit::Bucket(Bucket::new(rate, burst))).into(),
            best: pools.map(|(rate, burst, _)| Best::Bucket { steps: vec![(0.0, rate)], burst }).into(),
            queues: pools
                .map(|(_, _, jobs)| Queue { jobs, costs: Costs::One, workers: 8, pages: None })
                .into(),
            refusal_latency: 0.15,
            knows: None,
            ..bucket("two models behind one API key", (1.0, 6.0), says, 8, 0.3).asking(asks(1.05, 1.0))
        }
    };
    [Says::Nothing, Says::Seconds].map(row).into()
}

/// One random worker is killed each second.
fn killed() -> Vec<Row> {
    const GROUP: &str = "one random worker killed (-9) each second";
    let as_above = asks(1.03, 1.0);
    let bare = Says::Nothing;
    let headers = |row: Row| Row { quota: Some(Family::OpenAi), ..row }.named("openai");
    let given = |row: Row| Row { given: Some("20/s burst 5"), ..row }.named("limit");
    let no_more = Target { later: Some(0.0), per_100: None, ..as_above };
    let rows = [
        bucket(GROUP, (20.0, 5.0), bare, 10, 0.02).asking(as_above),
        bucket(GROUP, (20.0, 5.0), bare, 16, 0.5).asking(as_above),
        bucket(GROUP, (50.0, 50.0), bare, 16, 0.02).asking(as_above),
        bucket(GROUP, (50.0, 5.0), bare, 16, 0.25).asking(as_above),
        bucket(GROUP, (20.0, 50.0), Says::Seconds, 16, 0.5).asking(as_above),
        window(GROUP, (40.0, 4.0), Begin::At(1.2), Says::Millis, 10, 0.02).asking(Target {
            later: Some(14.0),
            per_100: None,
            ..as_above
        }),
        headers(bucket(GROUP, (50.0, 50.0), bare, 16, 0.02).asking(no_more)),
        given(bucket(GROUP, (20.0, 5.0), bare, 16, 0.5)).asking(Target { all: Some(0.0), ..no_more }),
    ];
    let kill = |row: Row| {
        let target = Target { of_accepted: true, ..row.target };
        Row { kill_every: Some(1.0), target, ..row }.named("killed")
    };
    rows.map(kill).into()
}

/// Processes that share nothing but the key.
fn machines() -> Vec<Row> {
    let mut rows = Vec::new();
    for (rate, burst) in [(20.0, 5.0), (50.0, 50.0), (500.0 / 60.0, 50.0)] {
        for machines in [2, 4] {
            for says in [Says::Nothing, Says::Seconds] {
                let group = "machines with separate state on one key";
                let row = bucket(group, (rate, burst), says, 8 * machines, 0.2).with_jobs(rate * 80.0);
                let target = Target { share: Some(0.5), ..asks(1.10, 3.0) };
                let name = format!("{}/machines{machines}", row.name);
                rows.push(Row { name, machines, target, ..row });
            }
        }
    }
    rows
}

/// An API that never says "too much" is never slowed.
fn free() -> Vec<Row> {
    let row = bucket("an API without a limit", (1e6, 1e6), Says::Nothing, 16, 0.02).with_jobs(4000.0);
    let target = Target { all: Some(0.0), ..asks(1.03, 0.0) };
    vec![Row { name: "free/w16/20ms".to_owned(), knows: None, ..row.asking(target) }]
}

/// Further corners; nothing is asked.
fn wider() -> Vec<Row> {
    const GROUP: &str = "further corners";
    let bare = Says::Nothing;
    let log = |says| {
        let row = window(GROUP, (40.0, 4.0), Begin::FirstRequest, says, 10, 0.02);
        let limits = vec![Limit::Log(Log::new(40, 4.0))];
        let name = format!("{}/log/40-per-4s/w10/20ms", super::kind(says));
        Row { name, limits, best: vec![Best::Log { count: 40.0, period: 4.0 }], ..row }
    };
    let at_once = Row {
        name: "bare/at-once/5/w16/500ms".to_owned(),
        limits: vec![Limit::Concurrency(Concurrency::new(5))],
        best: vec![Best::AtOnce(5.0)],
        knows: None,
        ..bucket(GROUP, (10.0, 5.0), bare, 16, 0.5)
    };
    let stranger = |says| Row {
        best: vec![Best::Bucket { steps: vec![(0.0, 14.0)], burst: 20.0 }],
        stranger: 6.0,
        knows: None,
        ..bucket(GROUP, (20.0, 20.0), says, 16, 0.1).named("stranger-6")
    };
    let blunt = |row: Row| Row { late: BLUNT, ..row }.named("blunt");
    let no_window = Row { knows: None, ..window(GROUP, (40.0, 4.0), Begin::At(1.2), bare, 10, 0.02) };
    vec![
        bucket(GROUP, (100.0, 20.0), bare, 10, 0.005),
        bucket(GROUP, (20.0, 5.0), bare, 1, 0.02),
        bucket(GROUP, (50.0, 5.0), bare, 64, 1.0),
        bucket(GROUP, (0.5, 10.0), bare, 64, 60.0).with_jobs(300.0),
        bucket(GROUP, (20.0, 1.0), Says::Seconds, 10, 0.02).with_jobs(2400.0),
        blunt(bucket(GROUP, (20.0, 1.0), bare, 10, 0.02)),
        blunt(bucket(GROUP, (50.0, 1.0), bare, 16, 0.02)),
        blunt(bucket(GROUP, (50.0, 5.0), bare, 16, 0.02)),
        stranger(bare),
        stranger(Says::Seconds),
        no_window,
        log(bare),
        log(Says::Seconds),
        at_once,
    ]
}

/// Web pages that come while a batch runs under the same key.
fn pages() -> Vec<Row> {
    let row = |limit: Option<&'static str>, name: &str| {
        let row = bucket("web pages among a batch", (20.0, 5.0), Says::Nothing, 32, 0.1);
        let batch = Queue { jobs: 800, costs: Costs::One, workers: 32, pages: None };
        let pages = Queue { jobs: 80, costs: Costs::One, workers: 8, pages: Some(2.0) };
        Row { queues: vec![batch, pages], given: limit, ..row }.named(name)
    };
    vec![row(None, "pages"), row(Some("20/s burst 5"), "pages/limit")]
}
