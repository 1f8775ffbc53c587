//! A server: one limit for each scope, and what its answers say.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::{
    limits::{Hit, Limit},
    quota::Family,
};

/// What a refusal says about when to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    Nothing,
    /// `Retry-After` in whole seconds, rounded up, at least 1.
    Seconds,
    /// `retry-after-ms`, rounded up.
    Millis,
}

#[derive(Clone, Debug)]
pub struct Server {
    pub limits: Vec<Limit>,
    pub says: Says,
    /// Quota headers on every answer.
    pub quota: Option<Family>,
}

#[derive(Clone, Debug)]
pub struct Answer {
    pub accepted: bool,
    pub headers: HeaderMap,
}

impl Server {
    #[must_use]
    pub fn new(limit: Limit, says: Says) -> Self {
        Self { limits: vec![limit], says, quota: None }
    }

    pub fn hit(&mut self, scope: usize, now: f64, cost: f64) -> Answer {
        let hit = self.limits[scope].hit(now, cost);
        let mut headers = HeaderMap::new();
        if !hit.accepted {
            self.says.write(&hit, &mut headers);
        }
        if let Some(family) = self.quota {
            family.write(&hit.quota, now, &mut headers);
        }
        Answer { accepted: hit.accepted, headers }
    }

    pub fn finish(&mut self, scope: usize) {
        self.limits[scope].finish();
    }
}

impl Says {
    fn write(self, hit: &Hit, headers: &mut HeaderMap) {
        let (name, value) = match self {
            Self::Nothing => return,
            Self::Seconds => ("retry-after", hit.opens.ceil().max(1.0)),
            Self::Millis => ("retry-after-ms", (hit.opens * 1e3).ceil().max(1.0)),
        };
        headers.insert(HeaderName::from_static(name), HeaderValue::from(value as u64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Begin, Bucket, Window};

    fn second_answer(says: Says, limit: Limit) -> Vec<(String, String)> {
        let mut server = Server::new(limit, says);
        assert!(server.hit(0, 0.25, 1.0).accepted);
        let answer = server.hit(0, 0.25, 1.0);
        assert!(!answer.accepted);
        let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
        answer.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
    }

    #[test]
    fn a_refusal_says_when_to_come_back() {
        let bucket = || Limit::Bucket(Bucket::new(0.3, 1.0));
        let window = || Limit::Window(Window::new(1.0, 4.0, Begin::At(0.0)));
        assert_eq!(second_answer(Says::Nothing, bucket()), []);
        for (says, limit, name, value) in [
            (Says::Seconds, bucket(), "retry-after", "4"),
            (Says::Seconds, window(), "retry-after", "4"),
            (Says::Millis, bucket(), "retry-after-ms", "3334"),
            (Says::Millis, window(), "retry-after-ms", "3750"),
        ] {
            assert_eq!(second_answer(says, limit), [(name.to_owned(), value.to_owned())]);
        }
    }
}
