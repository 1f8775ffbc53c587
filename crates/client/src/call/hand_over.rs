//! A final answer that is handed out while it arrives.

use std::time::Duration;

use policy::{Reason, Timestamp};

use super::{
    End,
    incoming::{Begun, Delivery, Incoming},
    received::Received,
    record::What,
    run::{Run, Sent},
};
use crate::{Failed, Response, until::Until};

impl Run {
    /// # Errors
    /// The body broke where it may still be sent for again.
    pub(super) async fn hand_over(
        &mut self,
        sent: &Sent,
        received: Box<Received>,
        reason: Reason,
        incoming: &Incoming,
    ) -> Result<End, Failed> {
        match incoming.delivery {
            Delivery::Kept => self.keep_visibly(sent, received, reason, incoming).await,
            Delivery::Flowing { deadline, ahead } => {
                self.flow(sent, received, reason, incoming, (deadline, ahead)).await
            }
        }
    }

    async fn keep_visibly(
        &mut self,
        sent: &Sent,
        mut received: Box<Received>,
        reason: Reason,
        incoming: &Incoming,
    ) -> Result<End, Failed> {
        let begun = self.begun(received.headers_only());
        incoming.begin(begun);
        loop {
            let too_much = incoming.len() as u64 > self.call.max_body;
            let next = if too_much {
                Err(received.over(self.call.max_body))
            } else {
                received.next(sent.until).await
            };
            match next {
                Ok(Some(stretch)) => incoming.push(stretch),
                Ok(None) => break,
                Err(mut failed) => {
                    failed.permanent |= !incoming.restart();
                    return Err(failed);
                }
            }
        }
        if self.turn.asks_for_body() {
            incoming.look(|body| self.turn.read(body));
        }
        let response = received.into_response();
        self.record(sent, (&response).into(), Duration::ZERO, reason).await;
        Ok(End::Answer(response))
    }

    /// The attempt is over at the first byte. What comes later ends the call, but is no attempt's outcome.
    async fn flow(
        &mut self,
        sent: &Sent,
        mut received: Box<Received>,
        reason: Reason,
        incoming: &Incoming,
        (deadline, ahead): (Option<Timestamp>, usize),
    ) -> Result<End, Failed> {
        let mut next = received.next(sent.until).await?;
        let head = received.headers_only();
        self.note(sent, What::Answer(head.status, Some(&head)), Duration::ZERO, reason).await;
        incoming.begin(self.begun(head));
        received.expect_no_silence(self.call.settings.idle_timeout);
        // Only the deadline and silence end it.
        let until = Until::by(deadline);
        while let Some(stretch) = next {
            incoming.push(stretch);
            incoming.room(ahead).await;
            next = match received.next(until).await {
                Ok(next) => next,
                Err(failed) if deadline.is_some_and(|deadline| self.world.now() >= deadline) => {
                    return Ok(self.over_budget(None, Duration::ZERO, Duration::ZERO, Some(failed)));
                }
                Err(failed) => return Ok(End::Failed(failed)),
            };
        }
        Ok(End::Answer(received.into_response()))
    }

    fn begun(&self, response: Response) -> Begun {
        let (attempts, waited) = (self.attempts.clone(), self.waited);
        Begun { response, attempts, waited, elapsed: self.elapsed() }
    }
}
