//! What a call stands on: the network and real time, or scripted answers and virtual time.

use std::{
    cell::Cell,
    rc::Rc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use http::{HeaderMap, Version};
use policy::Timestamp;
use url::Url;

use crate::{
    Failed, Response,
    call::{Answer, Outside, Question, Request},
    clock,
    pacing::Pacing,
    transport::{Arriving, Field, Network},
    until::Until,
};

/// How often a long wait stops to serve the connections that stay open: an HTTP/2 server may ask for a sign of life.
const SERVED: Duration = Duration::from_secs(5);

pub(crate) enum World {
    Network(Network),
    Scripted(VirtualClock),
}

/// The clock of scripted calls, shared by the calls of one fake client: it moves only when they wait.
#[derive(Clone, Debug)]
pub struct VirtualClock {
    now: Rc<Cell<Timestamp>>,
    started: (Timestamp, SystemTime),
    pacing: Pacing,
}

impl VirtualClock {
    #[must_use]
    pub fn starting_now() -> Self {
        // Whole microseconds, in which gates are told.
        let now = Timestamp::from_nanos(clock::now().as_nanos() / 1000 * 1000);
        Self { now: Rc::new(now.into()), started: (now, SystemTime::now()), pacing: Pacing::private() }
    }

    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now.get()
    }

    fn wall(&self) -> SystemTime {
        let (start, wall) = self.started;
        wall.checked_add(self.now().since(start)).unwrap_or(wall)
    }

    pub(crate) fn pacing(&self) -> &Pacing {
        &self.pacing
    }
}

/// An answer whose headers are here.
pub(crate) enum Arrival {
    Network(Arriving),
    Scripted(Response),
}

impl World {
    pub(crate) fn now(&self) -> Timestamp {
        match self {
            Self::Network(_) => clock::now(),
            Self::Scripted(clock) => clock.now(),
        }
    }

    /// Now, on the clock of what processes tell each other.
    pub(crate) fn shared_now(&self) -> Timestamp {
        match self {
            Self::Network(_) => clock::boot(),
            Self::Scripted(clock) => clock.now(),
        }
    }

    /// An instant of [`Self::shared_now`]'s clock on that of [`Self::now`], or the other way round. A machine that is
    /// suspended in between makes it later.
    pub(crate) fn converted(at: Timestamp, from: Timestamp, to: Timestamp) -> Timestamp {
        if at >= from { to.after(at.since(from)) } else { to.before(from.since(at)) }
    }

    pub(crate) fn wall(&self) -> SystemTime {
        match self {
            Self::Network(_) => SystemTime::now(),
            Self::Scripted(clock) => clock.wall(),
        }
    }

    /// Never before `due`.
    pub(crate) async fn sleep_until(&self, due: Timestamp, outside: &Outside) {
        match self {
            Self::Network(_) => loop {
                // At first too: a connection whose answer was let go unread is closed there.
                Network::serve().await;
                let stop = due.min(clock::now().after(SERVED));
                let answer = outside.ask(Question::Nap(stop)).await;
                debug_assert!(matches!(answer, Answer::Napped));
                if stop == due {
                    return;
                }
            },
            Self::Scripted(clock) => clock.now.set(clock.now().max(due)),
        }
    }

    /// Takes the time now that the first request would take for itself after its turn has come.
    pub(crate) fn prepare(&self, uri: &Url) {
        if let Self::Network(network) = self {
            network.prepare(uri);
        }
    }

    pub(crate) async fn send(
        &self,
        request: &Request,
        until: Until,
        idle_timeout: Option<Duration>,
        outside: &Outside,
    ) -> Result<Arrival, Failed> {
        match self {
            Self::Network(network) => network.send(request, until, idle_timeout).await.map(Arrival::Network),
            Self::Scripted(_) => Box::pin(outside.exchange(request.clone())).await.map(Arrival::Scripted),
        }
    }
}

impl Arrival {
    pub(crate) fn status(&self) -> u16 {
        match self {
            Self::Network(arriving) => arriving.status(),
            Self::Scripted(response) => response.status,
        }
    }

    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Network(arriving) => arriving.version(),
            Self::Scripted(response) => response.version,
        }
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        match self {
            Self::Network(arriving) => arriving.headers(),
            Self::Scripted(response) => &response.headers,
        }
    }

    pub(crate) fn take_headers(&mut self) -> HeaderMap {
        match self {
            Self::Network(arriving) => arriving.take_headers(),
            Self::Scripted(response) => std::mem::take(&mut response.headers),
        }
    }

    /// The headers that went when its content coding was undone.
    pub(crate) fn removed(&self) -> &[Field] {
        match self {
            Self::Network(arriving) => arriving.removed(),
            Self::Scripted(_) => &[],
        }
    }

    pub(crate) fn take_removed(&mut self) -> Vec<Field> {
        match self {
            Self::Network(arriving) => arriving.take_removed(),
            Self::Scripted(_) => Vec::new(),
        }
    }

    pub(crate) fn reason_phrase(&self) -> Vec<u8> {
        match self {
            Self::Network(arriving) => arriving.reason_phrase(),
            Self::Scripted(response) => response.reason_phrase.clone(),
        }
    }

    /// What the headers announce of the body.
    pub(crate) fn content_length(&self) -> Option<u64> {
        match self {
            Self::Network(arriving) => arriving.content_length(),
            Self::Scripted(response) => Some(response.body.len() as u64),
        }
    }

    /// The next stretch of the body; `None` at its end.
    pub(crate) async fn chunk(&mut self, until: Until) -> Result<Option<Bytes>, Failed> {
        match self {
            Self::Network(arriving) => arriving.chunk(until).await,
            Self::Scripted(response) => Ok(response.body.pop()),
        }
    }
}
