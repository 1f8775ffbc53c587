//! What a call is made of, and goes by.

use std::rc::Rc;

use client::Incoming;
use ext_php_rs::types::Zval;

use super::Finished;
use crate::{
    client::Client,
    fake::Script,
    parameters::Parameters,
    sink::Target,
    zend::{Parsed, native::Tracer},
};

/// What a call is sent with. It keeps the objects alive.
#[derive(Debug)]
pub struct Source {
    /// A `\RetryClient`.
    client: Zval,
    /// The `FakeClient` that holds the answers, if they do not come from the network.
    fake: Option<Zval>,
}

impl Source {
    pub fn new(client: Zval, fake: Option<Zval>) -> Self {
        Self { client, fake }
    }

    pub fn client(&self) -> Parsed<&Client> {
        Client::of(&self.client)
    }

    pub fn script(&self) -> Parsed<Option<&Script>> {
        self.fake.as_ref().map(Script::of).transpose()
    }

    pub fn is_scripted(&self) -> bool {
        self.fake.is_some()
    }

    pub fn copy(&self) -> Self {
        Self { client: self.client.shallow_clone(), fake: self.fake.as_ref().map(Zval::shallow_clone) }
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        tracer.value(&self.client);
        self.fake.iter().for_each(|fake| tracer.value(fake));
    }
}

/// What a flight is made of, but for the call itself.
#[derive(Debug)]
pub struct Crew {
    pub source: Source,
    pub parameters: Parameters,
    pub target: Target,
    pub shown: Option<Zval>,
    pub incoming: Option<Rc<Incoming>>,
    pub finished: Option<Finished>,
}

impl Crew {
    pub fn trace(&self, tracer: &mut Tracer) {
        self.source.trace(tracer);
        self.parameters.trace(tracer);
        self.target.trace(tracer);
        self.shown.iter().for_each(|shown| tracer.value(shown));
    }
}
