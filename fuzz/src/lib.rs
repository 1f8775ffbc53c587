//! What the targets share: a call that waits until it may send, and how long it was promised to wait at most.

use std::{fmt, sync::LazyLock, time::Duration};

use policy::{
    Options, Settings, Timestamp,
    limit::Rule,
    pacing::{Ask, Class, Knowledge, Next, Report, Ticket, Waiter, Words},
    time::from_seconds,
};

pub const HOUR: Duration = Duration::from_secs(3600);
/// No gate is shut for longer, whatever a server names.
pub const LONGEST_GATE: Duration = HOUR;
/// And without a named time.
pub const LONGEST_BARE_GATE: Duration = Duration::from_secs(4);
/// No reset is believed that is not before this.
pub const LONGEST_RESET: Duration = Duration::from_secs(31 * 86_400);
/// No pace is slower than one in that time, and none is used up for longer than twice that.
const SLOWEST_PACE: Duration = HOUR;
const LONGEST_USED: Duration = Duration::from_secs(2 * 3600);
/// What requests differ in on their way, turns, and leases of those that were killed.
const SLACK: Duration = Duration::from_secs(5);
/// Nobody asks so often in vain: each time an eighth of the time waited is let pass, or a small part of all that is
/// promised.
const MOST_ASKED: usize = 5000;
const LATE_PART: u32 = 8;
const LATE_PART_OF_ALL: u32 = 64;

/// Says what happens, if SHOW is set: for people who look at an input that failed.
pub fn show(what: fmt::Arguments<'_>) {
    static IS_ON: LazyLock<bool> = LazyLock::new(|| std::env::var_os("SHOW").is_some());
    if *IS_ON {
        eprintln!("{what}");
    }
}

/// How the waiting of a call ended.
#[derive(Debug)]
pub enum End {
    Sent(Ticket),
    OverBudget,
    RateLimited,
}

/// A second more than a whole burst or window takes.
fn rule(rule: &Rule) -> Duration {
    let (count, period, burst) = match *rule {
        Rule::Rate { count, period, burst } => (count, period, burst),
        Rule::Window { period, .. } => (1, period, 1),
        Rule::Concurrency(_) => return Duration::ZERO,
    };
    from_seconds(period.as_secs_f64() * f64::from(burst) / f64::from(count)).saturating_add(SLACK)
}

#[must_use]
pub fn settings(max_retry_after: f64, max_attempts: i64) -> Settings {
    let options = Options { max_retry_after, max_attempts, ..Options::default() };
    options.validate().expect("in range")
}

/// One call that waits until it may send. Nobody else does anything meanwhile.
#[derive(Debug)]
pub struct Call<'a> {
    pub known: &'a Knowledge<'a>,
    pub settings: &'a Settings,
    pub ask: &'a Ask,
    pub class: Class,
    pub attempts: u32,
    pub deadline: Option<Timestamp>,
}

impl Call<'_> {
    /// How long it can be held back if all that can hold it back does so, one after the other.
    fn promised(&self, now: Timestamp) -> Duration {
        let Self { known, settings, ask, .. } = self;
        let gates = known.account.into_iter().chain([known.scope]).map(|words| report(words, now).shut);
        let gate = gates.max().unwrap_or_default();
        let cost = ask.cost.unwrap_or(1.0);
        let pace =
            report(known.scope, now).rate.map(|rate| LONGEST_USED.saturating_add(from_seconds(cost / rate)));
        let given = known.given.iter().map(|given| rule(given.rule));
        // A page says until when it waits, and may be killed.
        let page = (self.class == Class::Batch).then_some(LONGEST_GATE);
        // Whoever finds out late that another limit holds it back loses the slots it has taken.
        let slots = given.chain(pace).fold(Duration::ZERO, Duration::saturating_add).saturating_mul(2);
        let others = [gate, SLACK].into_iter().chain(page).fold(slots, Duration::saturating_add);
        // Whoever has waited so long for a header goes as a scout.
        let header = settings.max_retry_after.min(LONGEST_RESET).saturating_mul(2);
        others.saturating_add(header)
    }

    /// How it ended, and when.
    ///
    /// # Panics
    /// When it is held back for longer than promised.
    #[must_use]
    pub fn wait(&self, waiter: &mut Waiter, from: Timestamp) -> (End, Timestamp) {
        let promised = self.promised(from);
        let mut now = from;
        for _ in 0..MOST_ASKED {
            let next = if waiter.yields(self.known, now) {
                waiter.next_place(self.known, now)
            } else {
                waiter.next(self.known, self.ask, self.attempts, now)
            };
            show(format_args!("{now:?} {next:?}"));
            let until = match next {
                Next::Send(ticket) => return (End::Sent(ticket), now),
                Next::OverBudget { opens } => {
                    assert!(
                        self.deadline.is_some_and(|deadline| deadline <= opens),
                        "over budget until {opens:?}"
                    );
                    return (End::OverBudget, now);
                }
                Next::RateLimited { opens } => {
                    assert!(opens.since(now) <= LONGEST_GATE, "rate limited for {:?}", opens.since(now));
                    return (End::RateLimited, now);
                }
                Next::Wait { until } => until,
            };
            assert!(until > now, "asks again at once: {until:?} at {now:?}");
            assert!(
                self.deadline.is_none_or(|deadline| until <= deadline.after(SLACK)),
                "beyond the deadline"
            );
            let waited = until.since(from);
            assert!(waited <= promised.saturating_add(promised / 4), "held back for {waited:?}");
            now = until.after((waited / LATE_PART).min(promised / LATE_PART_OF_ALL));
        }
        panic!("asks for ever: since {:?}", now.since(from));
    }
}

/// # Panics
/// When what people are shown cannot be.
pub fn report(words: &Words, now: Timestamp) -> Report {
    let report = words.report(now);
    assert!(
        report.rate.is_none_or(|rate| rate.is_finite() && rate >= 1.0 / SLOWEST_PACE.as_secs_f64()),
        "{report:?}"
    );
    assert!(report.shut <= LONGEST_GATE, "{report:?}");
    report
}
