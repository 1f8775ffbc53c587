//! A call as PHP code asks for it: its parameters checked, its limits set, begun and waited for.

use std::{rc::Rc, sync::Arc};

use client::{Call, Class, Incoming, Lane, Limits, Request, Route, Sink, runtime};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::BailoutGuard;
use policy::{Settings, Timestamp};

use crate::{
    budget,
    fake::Script,
    flight::{self, Awaited, Crew, Finished, Source},
    ini,
    options::{self, Config},
    outgoing,
    parameters::{Field, Parameters, Place},
    php_stream::Bounds,
    sink::{self, Target},
    zend::{Object, Parsed, native::Tracer, object},
};

/// Sends, and returns the `RetryClient\Response` or throws.
pub fn send(source: Source, what: What<'_>) -> Parsed<Zval> {
    let flight = begin(source, what, Delivery::Whole)?;
    flight.wait(None)?;
    flight.conclude()
}

/// What is sent: the parameters, and the object that they came from, if there is one.
#[derive(Debug)]
pub struct What<'a> {
    pub parameters: Parameters,
    pub place: &'a Place<'a>,
    pub request: Option<Object<'a>>,
}

/// How the body of the answer comes.
#[derive(Debug)]
pub enum Delivery {
    Whole,
    /// Whole, in a lane with others.
    Laned(Rc<Lane>, Finished),
    /// Visible while it arrives.
    Kept,
    /// As a stream.
    Flowing,
}

/// A call that is checked, and not begun yet.
#[derive(Debug)]
pub struct Prepared {
    call: Call,
    crew: Crew,
}

impl Prepared {
    pub fn request(&self) -> &Request {
        &self.call.request
    }

    pub fn begin(self) -> Parsed<Awaited> {
        flight::begin(self.call, self.crew)
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        self.crew.trace(tracer);
    }
}

/// Checks all, and begins the call.
pub fn begin(source: Source, what: What<'_>, delivery: Delivery) -> Parsed<Awaited> {
    prepare(source, what, delivery)?.begin()
}

/// Checks all.
pub fn prepare(source: Source, what: What<'_>, delivery: Delivery) -> Parsed<Prepared> {
    let What { parameters, place, request } = what;
    let (call, target) = build(&source, &parameters, place, &delivery)?;
    let call = call.into_inner();
    let incoming = match &call.sink {
        Sink::Handed(incoming) => Some(Rc::clone(incoming)),
        _ => None,
    };
    let finished = match delivery {
        Delivery::Laned(_, finished) => Some(finished),
        _ => None,
    };
    let shown = request.map(object::reference);
    Ok(Prepared { call, crew: Crew { source, parameters, target, shown, incoming, finished } })
}

/// All that a call needs, checked.
fn build(
    source: &Source,
    parameters: &Parameters,
    place: &Place<'_>,
    delivery: &Delivery,
) -> Parsed<(BailoutGuard<Call>, Target)> {
    let (client, script) = (source.client()?, source.script()?);
    let config = &client.config;
    if let Some(cost) = parameters.get(Field::Cost).double() {
        policy::limit::check_cost(cost, config.settings.limit.as_ref())
            .map_err(|rule| place.value_error(Field::Cost, rule))?;
    }
    // The reading of a stream counts too, unless time is virtual.
    let deadlines = Deadlines::of(config, script, matches!(delivery, Delivery::Laned(..)));
    let deadline = deadlines.of_answer;
    let until = deadline.filter(|_| script.is_none());
    let memory = budget::memory_left();
    let bounds = Bounds { bytes: usize::try_from(memory).unwrap_or(usize::MAX), until };
    let request = outgoing::build(config, parameters, place, &bounds)?;
    let (sink, target) = sink::open(parameters.get(Field::Sink), until)
        .map_err(|refusal| place.refuse(Field::Sink, refusal))?;
    let sink = match (sink, delivery) {
        (Sink::Lent, Delivery::Kept) => Sink::Handed(Rc::new(Incoming::kept())),
        (_, Delivery::Flowing) if script.is_some() => Sink::Handed(Rc::new(Incoming::flowing_at_once())),
        (_, Delivery::Flowing) => Sink::Handed(Rc::new(Incoming::flowing(deadlines.of_stream))),
        (sink, _) => sink,
    };
    let lane = match delivery {
        Delivery::Laned(lane, _) => Some(Rc::clone(lane)),
        _ => None,
    };
    let call = Call {
        request: request.into_inner(),
        settings: settings(config, delivery),
        route: route(config),
        deadline,
        budget: if lane.is_some() { config.settings.budget } else { None },
        max_body: config.settings.max_body_size.min(memory),
        sink,
        sink_errors: !config.throw_on_error || matches!(delivery, Delivery::Kept),
        hooks: client.callbacks.wanted(),
        limits: limits(config, parameters),
        lane,
    };
    Ok((BailoutGuard::new(call), target))
}

fn limits(config: &Config, parameters: &Parameters) -> Limits {
    let own_key = parameters.get(Field::LimitKey).zend_str();
    Limits {
        share: config.share,
        key: own_key.map_or_else(|| config.limit_key.clone(), |key| Some(options::limit_key(key.as_bytes()))),
        cost: parameters.get(Field::Cost).double(),
        class: if budget::is_web() { Class::Web } else { Class::Batch },
        max_waiting: budget::max_waiting(),
    }
}

/// The client's route; the CA file of php.ini counts as it is now.
fn route(config: &Config) -> Arc<Route> {
    let tls = &config.route.tls;
    match ini::ca_file() {
        Some(ca_file) if tls.verify && tls.ca_file.is_none() => {
            let mut route = (*config.route).clone();
            route.tls.ca_file = Some(ca_file);
            Arc::new(route)
        }
        _ => Arc::clone(&config.route),
    }
}

/// A stream that nobody limits is not waited for longer than nginx waits for the page that passes it on.
fn settings(config: &Config, delivery: &Delivery) -> Arc<Settings> {
    let settings = &config.settings;
    if matches!(delivery, Delivery::Flowing) && settings.idle_timeout.is_none() && budget::is_web() {
        return Arc::new(Settings { idle_timeout: Some(budget::AUTO), ..(**settings).clone() });
    }
    Arc::clone(settings)
}

/// The earlier of the call's own and the web request's; a virtual clock knows no web request.
struct Deadlines {
    of_answer: Option<Timestamp>,
    /// Of the end of a stream.
    of_stream: Option<Timestamp>,
}

impl Deadlines {
    fn of(config: &Config, script: Option<&Script>, is_laned: bool) -> Self {
        let now = script.map_or_else(runtime::now, |script| script.clock().now());
        // In a lane it counts from a call's place there.
        let own = config.settings.budget.filter(|_| !is_laned).map(|budget| now.after(budget));
        let of_request = if script.is_none() { budget::deadline() } else { None };
        let earlier = |of_request: Option<Timestamp>| own.into_iter().chain(of_request).min();
        let of_stream = earlier(of_request.filter(|_| !budget::is_auto()));
        Self { of_answer: earlier(of_request), of_stream }
    }
}
