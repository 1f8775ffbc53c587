//! The first connection to a place. While it is made, others that go there wait for it: should the server speak HTTP/2
//! they share it, and a batch does not begin with as many handshakes as it has requests.

use std::{
    cell::RefCell,
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use url::Url;

use super::connect::Dial;
use crate::until::Until;

/// How long the first one is waited for. A server that takes longer gets handshakes side by side.
const PATIENCE: Duration = Duration::from_secs(1);

/// The places that the connections of one pool lead to.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    hasher: RandomState,
    places: RefCell<HashMap<u64, Contact>>,
}

#[derive(Debug)]
enum Contact {
    /// The connection of this one is the first.
    Begun(Arc<Dial>),
    Made,
}

/// Who makes the first contact. Once dropped, others wait no more.
#[derive(Debug)]
pub(super) struct First {
    contacts: Rc<Contacts>,
    place: u64,
    dial: Arc<Dial>,
}

impl Contacts {
    /// Waits while the first contact is made by another; `Some` for who makes it. Only TLS can end in HTTP/2.
    pub(super) async fn wait(self: Rc<Self>, uri: &Url, dial: &Arc<Dial>) -> Option<First> {
        if uri.scheme() != "https" {
            return None;
        }
        let place = self.hasher.hash_one((uri.host_str(), uri.port_or_known_default()));
        let begun = match self.places.borrow().get(&place) {
            Some(Contact::Made) => return None,
            Some(Contact::Begun(other)) => Some(Arc::clone(other)),
            None => None,
        };
        let Some(other) = begun else {
            let dial = Arc::clone(dial);
            self.places.borrow_mut().insert(place, Contact::Begun(Arc::clone(&dial)));
            return Some(First { contacts: self, place, dial });
        };
        if !other.has_connected() {
            Until::within(PATIENCE).bound(other.is_decided()).await;
            // Its connection is in the pool a moment later.
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        }
        None
    }
}

impl Drop for First {
    fn drop(&mut self) {
        let contact = self.contacts.places.borrow_mut().remove(&self.place);
        if self.dial.has_connected() {
            self.contacts.places.borrow_mut().insert(self.place, Contact::Made);
        }
        drop(contact);
        self.dial.decide();
    }
}
