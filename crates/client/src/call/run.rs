//! The one retry loop. It asks the policy what follows each attempt and does it; what needs PHP is
//! asked from [`Outside`]. It decides nothing itself.

use std::{
    borrow::Cow,
    ops::ControlFlow::{self, Break, Continue},
    rc::Rc,
    time::{Duration, SystemTime},
};

use http::{HeaderName, HeaderValue};
use policy::{
    Attempt, Failure, FailureKind, Outcome, Reason, Situation, Timestamp, Verdict, decide::wants_body,
    idempotency::KeyOrigin, server_wish,
};

use super::{
    Call, End, Ended, Outside, Request, Sink, attempt::attempt, lane::Place, prepare, received::Received,
    record::What, sink::Writing,
};
use crate::{
    Failed, Response, nap,
    pacing::{Pacing, Turn},
    random,
    until::Until,
    world::World,
};

/// How long the body of an answer that will be let go is read for.
const LOOK: Duration = Duration::from_secs(1);

/// Runs the call to its end.
pub(crate) async fn run(call: Call, world: World, pacing: Pacing, outside: Outside, lines_up: bool) -> Ended {
    let mut run = Run::new(call, world, pacing, outside, lines_up);
    let end = run.until_it_ends().await;
    let elapsed = run.elapsed();
    Ended { end, attempts: run.attempts, waited: run.waited, elapsed }
}

pub(super) struct Run {
    pub(super) call: Call,
    pub(super) world: World,
    pub(super) outside: Outside,
    pub(super) turn: Turn,
    idempotency: KeyOrigin,
    pub(super) started: Timestamp,
    pub(super) attempts: Vec<Attempt>,
    pub(super) waited: Duration,
    /// The last answer that was let go.
    pub(super) last: Option<Response>,
    pub(super) place: Option<Place>,
    /// Whether it waits in one line with the other calls of this process.
    pub(super) lines_up: bool,
}

/// One send that is over, as far as its headers go.
pub(super) struct Sent {
    pub(super) at: Timestamp,
    pub(super) at_wall: SystemTime,
    pub(super) until: Until,
    pub(super) paced: Duration,
}

impl Run {
    fn new(mut call: Call, world: World, pacing: Pacing, outside: Outside, lines_up: bool) -> Self {
        let started = world.now();
        let idempotency = prepare::prepare(&mut call.request, &call.settings, world.wall());
        let shared = world.shared_now();
        let deadline = call.deadline.map(|deadline| World::converted(deadline, started, shared));
        let turn = Turn::new(pacing, &call.request, &call.settings, &call.limits, deadline);
        Self {
            call,
            world,
            outside,
            turn,
            idempotency,
            started,
            attempts: Vec::new(),
            waited: Duration::ZERO,
            last: None,
            place: None,
            lines_up,
        }
    }

    async fn until_it_ends(&mut self) -> End {
        self.begin().await;
        loop {
            let paced = match self.hold_back().await {
                Ok(paced) => paced,
                Err(end) => return end,
            };
            if let Break(end) = self.attempt(paced).await {
                return end;
            }
        }
    }

    fn observe(&mut self, outcome: &Outcome<'_>, at: Timestamp) {
        if let (Some(lane), Outcome::Answer { status: 429, .. }) = (&self.call.lane, outcome) {
            lane.count_limited();
        }
        // Read in this order it is never later than it was.
        let shared = self.world.shared_now();
        let at = World::converted(at, self.world.now(), shared);
        self.turn.observe(outcome, at);
    }

    async fn attempt(&mut self, paced: Duration) -> ControlFlow<End> {
        let number = self.attempts.len() as u32 + 1;
        let is_late = |at| self.call.deadline.is_some_and(|deadline| at >= deadline);
        let added = match self.call.hooks.attempt && !is_late(self.world.now()) {
            true => Box::pin(self.outside.headers_for_attempt(number)).await,
            false => Vec::new(),
        };
        let at = self.world.now();
        // Before the first attempt, or after a hook that took its time.
        if is_late(at) {
            return Break(self.no_further_attempt(None, Duration::ZERO, Duration::ZERO));
        }
        let until = Until::new(self.call.deadline, at.after(self.call.settings.timeout));
        let sent = Sent { at, at_wall: self.world.wall(), until, paced };
        let request = with_headers(&self.call.request, added);
        let failed = match self.answer_to(&request, until).await {
            Ok(received) => match self.after_answer(&sent, received).await {
                Ok(next) => return next,
                Err(failed) => failed,
            },
            Err(failed) => failed,
        };
        // What is rare is boxed here and below: the state of a call that is answered at once stays small.
        Box::pin(self.after_failure(&sent, failed)).await
    }

    async fn answer_to(&self, request: &Request, until: Until) -> Result<Box<Received>, Failed> {
        // What flows may take its time until it begins to.
        let is_flowing = matches!(&self.call.sink, Sink::Handed(incoming) if incoming.is_flowing());
        let idle_timeout = self.call.settings.idle_timeout.filter(|_| !is_flowing);
        attempt(&self.world, &self.outside, &self.call.settings, request, until, idle_timeout).await
    }

    /// # Errors
    /// The body broke while it was read.
    async fn after_answer(
        &mut self,
        sent: &Sent,
        mut received: Box<Received>,
    ) -> Result<ControlFlow<End>, Failed> {
        if self.call.settings.retry_on.contains(received.status()) {
            Box::pin(self.look(sent, &mut received)).await;
        }
        let decided = self.world.now();
        let verdict = self.decide(&received.outcome(), decided);
        let arrived = received.arrived();
        self.observe(&received.outcome(), arrived);
        let ended = match verdict {
            Verdict::End(reason) => self.finish(sent, received, reason).await?,
            Verdict::Exhausted => End::GaveUp(self.keep(sent, received, Reason::AttemptsExhausted).await?),
            Verdict::OverBudget { needed, left } => {
                Box::pin(self.after_unaffordable(sent, received, needed, left)).await
            }
            Verdict::Retry { due, reason } => {
                // A server's wish counts from the arrival of its headers.
                let from = if reason == Reason::RetryAfter { received.arrived() } else { decided };
                return Box::pin(self.wait_after_answer(sent, received, due, due.since(from), reason)).await;
            }
        };
        Ok(Break(ended))
    }

    /// The answer asks for a wait that the time left does not reach for. Whoever is told must act now: a body that
    /// does not come whole is left out.
    async fn after_unaffordable(
        &mut self,
        sent: &Sent,
        mut received: Box<Received>,
        needed: Duration,
        left: Duration,
    ) -> End {
        let glance = received.glance();
        let until = sent.until.at_most(self.world.now().after(LOOK));
        let response = received.whole(until, self.call.max_body, self.lender()).await.unwrap_or(glance);
        self.record(sent, (&response).into(), Duration::ZERO, Reason::BudgetExceeded).await;
        let retry_after = response.retry_after;
        self.last = Some(response);
        self.over_budget(retry_after, needed, left, None)
    }

    async fn after_failure(&mut self, sent: &Sent, failed: Failed) -> ControlFlow<End> {
        // A sink that takes nothing any more is cut off, too.
        let cut = matches!(failed.kind, FailureKind::Timeout | FailureKind::Sink)
            && self.call.deadline.is_some_and(|deadline| self.world.now() >= deadline);
        if cut {
            self.record(sent, What::Failure(&failed), Duration::ZERO, Reason::BudgetExceeded).await;
            return Break(self.over_budget(None, Duration::ZERO, Duration::ZERO, Some(failed)));
        }
        let outcome = Outcome::Failure(Failure {
            kind: failed.kind,
            unsent: failed.unsent,
            permanent: failed.permanent,
        });
        let decided = self.world.now();
        self.observe(&outcome, decided);
        let (reason, end) = match self.decide(&outcome, decided) {
            Verdict::End(reason) => (reason, End::Failed(failed.clone())),
            Verdict::Exhausted => (Reason::AttemptsExhausted, End::Failed(failed.clone())),
            Verdict::OverBudget { needed, left } => {
                (Reason::BudgetExceeded, self.over_budget(None, needed, left, Some(failed.clone())))
            }
            Verdict::Retry { due, reason } => {
                let wait = due.since(decided);
                self.record(sent, What::Failure(&failed), wait, reason).await;
                if !self.may_wait(wait).await {
                    return Break(End::Failed(failed));
                }
                self.sleep(due, wait).await;
                return Continue(());
            }
        };
        self.record(sent, What::Failure(&failed), Duration::ZERO, reason).await;
        Break(end)
    }

    /// Waits for the next attempt, the rest of this one's body read meanwhile.
    async fn wait_after_answer(
        &mut self,
        sent: &Sent,
        mut received: Box<Received>,
        due: Timestamp,
        wait: Duration,
        reason: Reason,
    ) -> Result<ControlFlow<End>, Failed> {
        let glance = self.call.hooks.outcome.then(|| received.glance());
        let what = What::Answer(received.status(), glance.as_ref());
        self.record(sent, what, wait, reason).await;
        if !self.may_wait(wait).await {
            let whole = received.whole(sent.until, self.call.max_body, self.lender()).await;
            return Ok(Break(whole.map_or_else(End::Failed, End::GaveUp)));
        }
        self.outside.set_waiting_until(Some(due));
        let until = self.world.now().after(LOOK).min(due.before(nap::PRECISE_STRETCH));
        received.look(Until::new(None, until)).await;
        self.last = Some(received.let_go());
        self.sleep(due, wait).await;
        Ok(Continue(()))
    }

    /// Reads as much of a retryable answer as the decision may look at.
    async fn look(&self, sent: &Sent, received: &mut Received) {
        let status = received.status();
        if wants_body(&self.call.settings, status, received.headers(), received.arrived_wall()) {
            received.look(sent.until.at_most(received.arrived().after(LOOK))).await;
        } else {
            received.look_without_waiting().await;
        }
    }

    fn decide(&self, outcome: &Outcome<'_>, now: Timestamp) -> Verdict {
        let situation = Situation {
            method: &self.call.request.method,
            attempt: self.attempts.len() as u32 + 1,
            key: self.idempotency,
            now,
            deadline: self.call.deadline,
        };
        random::with(|rng| policy::decide(&self.call.settings, &situation, outcome, rng))
    }

    /// The final answer, its body read whole into memory or the sink.
    async fn finish(&mut self, sent: &Sent, received: Box<Received>, reason: Reason) -> Result<End, Failed> {
        let outside = self.outside.clone();
        let wanted = received.status() < 400 || self.call.sink_errors;
        if let (Sink::Handed(incoming), true) = (&self.call.sink, wanted) {
            let incoming = Rc::clone(incoming);
            return Box::pin(self.hand_over(sent, received, reason, &incoming)).await;
        }
        let sink = if wanted { Writing::open(&self.call.sink, &outside)? } else { None };
        let Some(sink) = sink else { return self.keep(sent, received, reason).await.map(End::Answer) };
        let response = Box::pin(received.written(sent.until, sink)).await?;
        self.record(sent, (&response).into(), Duration::ZERO, reason).await;
        Ok(End::Answer(response))
    }

    async fn keep(
        &mut self,
        sent: &Sent,
        received: Box<Received>,
        reason: Reason,
    ) -> Result<Response, Failed> {
        let mut response = received.whole(sent.until, self.call.max_body, self.lender()).await?;
        if self.turn.asks_for_body() && response.body.len() <= server_wish::MAX_BODY_LOOKED_AT {
            self.turn.read(response.body.join());
        }
        self.record(sent, (&response).into(), Duration::ZERO, reason).await;
        Ok(response)
    }

    /// Who has memory for a long body.
    fn lender(&self) -> Option<&Outside> {
        matches!(self.call.sink, Sink::Lent).then_some(&self.outside)
    }

    /// The time left does not reach for another attempt: that is why the last one was the last.
    pub(super) fn no_further_attempt(
        &mut self,
        retry_after: Option<Duration>,
        needed: Duration,
        left: Duration,
    ) -> End {
        if let Some(last) = self.attempts.last_mut() {
            last.reason = Reason::BudgetExceeded;
        }
        self.over_budget(retry_after, needed, left, None)
    }

    pub(super) fn over_budget(
        &mut self,
        retry_after: Option<Duration>,
        needed: Duration,
        left: Duration,
        cut: Option<Failed>,
    ) -> End {
        End::OverBudget { response: self.last.take(), retry_after, needed, left, cut }
    }

    pub(super) fn rate_limited(&mut self, opens: Timestamp) -> End {
        if let Some(last) = self.attempts.last_mut() {
            last.reason = Reason::RateLimited;
        }
        End::RateLimited { response: self.last.take(), retry_after: opens.since(self.world.now()) }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.world.now().since(self.started)
    }
}

fn with_headers(request: &Request, added: Vec<(HeaderName, HeaderValue)>) -> Cow<'_, Request> {
    if added.is_empty() {
        return Cow::Borrowed(request);
    }
    let mut request = request.clone();
    for (name, _) in &added {
        request.headers.remove(name);
    }
    for (name, value) in added {
        request.headers.append(name, value);
    }
    Cow::Owned(request)
}
