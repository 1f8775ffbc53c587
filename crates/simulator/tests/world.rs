//! The world keeps its own books right.

use simulator::{
    limits::{Bucket, Limit},
    rivals::{Backoff, Knows, Oracle},
    server::{Says, Server},
    world::{Job, Worker, World},
};

fn world() -> World {
    let job = Job { cost: 1.0, estimate: 1.0, ready: 0.0, budget: None };
    World {
        server: Server::new(Limit::Bucket(Bucket::new(20.0, 5.0)), Says::Seconds),
        queues: vec![vec![job; 205].into()],
        workers: vec![Worker { queue: 0, machine: 0, web: false }; 10],
        scopes: 1,
        latency: 0.02,
        refusal_latency: 0.002,
        late: (0.000_05, 0.000_2),
        arrival: (0.000_1, 0.000_8),
        kill_every: None,
        stranger: 0.0,
        horizon: 100.0,
        trace: false,
    }
}

#[test]
fn who_knows_the_limit_reaches_the_optimum() {
    let run = world().run(&mut Oracle::new(Knows::Rate { rate: 20.0, burst: 5.0 }), 1);
    assert_eq!((run.refused, run.served, run.sends, run.max_attempts), (0, 205, 205, 1));
    assert!((10.0..10.05).contains(&run.makespan), "{}", run.makespan);
}

#[test]
fn each_job_is_served_or_lost() {
    let run = world().run(&mut Backoff::hand_written(), 1);
    assert_eq!(run.served + run.lost, 205);
    assert_eq!(run.sends, run.all_accepted() + run.refused);
    assert_eq!((run.max_attempts, run.first_contact), (5, 5));
}

#[test]
fn a_killed_workers_job_is_done_by_the_next() {
    let killed = World { kill_every: Some(1.0), latency: 0.4, ..world() };
    let run = killed.run(&mut Oracle::new(Knows::Rate { rate: 20.0, burst: 5.0 }), 1);
    assert_eq!(run.served, 205);
    assert!(run.all_accepted() > 205);
}

#[test]
fn a_seed_replays() {
    let run = |seed| world().run(&mut Backoff::hand_written(), seed).makespan;
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
}
