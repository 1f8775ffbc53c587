//! What is sent for one request: the step with everything filled in that depends on the request or the moment.

use std::sync::Arc;

use bytes::Bytes;

use crate::body::Body;
use crate::clock::Stamp;
use crate::request::{Head, Received, echo};
use crate::spec::Action;
use crate::step::Step;
use crate::template::fill;
use crate::wire::ConnInfo;

#[derive(Clone, Debug)]
pub struct Reply {
    pub step: Arc<Step>,
    pub headers: Vec<(Bytes, Bytes)>,
    pub body: Body,
}

impl Reply {
    /// The step for this request. Templates are filled in with the present moment, so this is called after the
    /// step's delay.
    #[must_use]
    pub fn new(step: &Arc<Step>, head: &Head, received: &Received, info: &ConnInfo) -> Self {
        let now = Stamp::now();
        let mut headers: Vec<(Bytes, Bytes)> = step
            .headers
            .iter()
            .map(|h| {
                let value = if h.template { Bytes::from(fill(&h.value, now)) } else { h.value.clone() };
                (h.name.clone(), value)
            })
            .collect();
        let mut body = step.body.clone();
        if step.action == Action::Echo {
            body = Body::Whole(Bytes::from(echo(head, received, info).to_string()));
            if !step.headers.iter().any(|h| h.is("content-type")) {
                headers.push((Bytes::from_static(b"content-type"), Bytes::from_static(b"application/json")));
            }
        }
        if step.template
            && let Body::Whole(bytes) = &body
        {
            body = Body::Whole(Bytes::from(fill(bytes, now)));
        }
        Self { step: Arc::clone(step), headers, body }
    }

    /// Whether this status has a body at all (RFC 9110, section 6.4.1).
    #[must_use]
    pub fn may_have_body(&self) -> bool {
        !matches!(self.step.status, 100..=199 | 204 | 304)
    }

    /// How many bytes of the body are really sent.
    #[must_use]
    pub fn sent_length(&self) -> u64 {
        match (self.step.action, self.step.send_bytes) {
            (_, Some(n)) => n.min(self.body.len()),
            (Action::Half, None) => self.body.len() / 2,
            _ => self.body.len(),
        }
    }
}
