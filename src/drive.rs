//! One call from PHP's side: begun, driven from step to step, and answered by callbacks, streams and
//! scripted answers in between. PHP code runs here and nowhere inside the event loop.
//!
//! PHP code may end in a bailout, a longjmp over these frames. The call itself lives in the runtime and is
//! dropped at the end of the request; what a step brings is held by a [`BailoutGuard`] meanwhile.

use std::{cell::OnceCell, sync::Arc};

use client::{
    Call, Class, Ended, Limits, Response, Route, Step,
    runtime::{self, CallId},
};
use ext_php_rs::{types::Zval, zend::BailoutGuard};
use policy::{Attempt, Timestamp};

use crate::{
    attempt, budget,
    client::Client,
    client_interface::Sender,
    ended::{self, Asked},
    fake::Script,
    ini, interrupt,
    options::{self, Config},
    outgoing,
    parameters::{Field, Parameters, Place},
    php_stream::Bounds,
    request, response,
    room::Room,
    sink::{self, Target},
    zend::{Object, Parsed, object},
};

/// Sends, and returns the `RetryClient\Response` or throws. `request` is the object that the parameters
/// came from, if there is one.
pub fn send<S: Sender>(
    sender: &S,
    parameters: &Parameters,
    place: &Place<'_>,
    request: Option<Object<'_>>,
) -> Parsed<Zval> {
    let (client, script) = (sender.client()?, sender.script()?);
    let (call, target) = prepare(client, script, parameters, place)?;
    // For the messages of exceptions.
    let asked = BailoutGuard::new((call.request.method.clone(), call.request.uri.clone()));
    let length = call.request.body.len();
    let room = Room::default();
    let call = call.into_inner();
    let id = match script {
        Some(script) => runtime::begin_scripted(call, script.clock()),
        None => runtime::begin(call),
    };
    let shown = request.map_or_else(OnceCell::new, |request| object::reference(request).into());
    let ended = Flight { id, client, script, parameters, target, room: &room, length, shown }.run()?;
    let asked = Asked {
        method: asked.0.as_str(),
        uri: &asked.1,
        throw_on_give_up: client.config.throw_on_give_up,
        throw_on_error: client.config.throw_on_error,
    };
    ended::conclude(&ended, &asked, &room)
}

/// All that a call needs, checked.
fn prepare(
    client: &Client,
    script: Option<&Script>,
    parameters: &Parameters,
    place: &Place<'_>,
) -> Parsed<(BailoutGuard<Call>, Target)> {
    let config = &client.config;
    if let Some(cost) = parameters.get(Field::Cost).double() {
        policy::limit::check_cost(cost, config.settings.limit.as_ref())
            .map_err(|rule| place.value_error(Field::Cost, rule))?;
    }
    // The reading of a stream counts too, unless time is virtual.
    let deadline = deadline(config, script);
    let until = deadline.filter(|_| script.is_none());
    let memory = budget::memory_left();
    let bounds = Bounds { bytes: usize::try_from(memory).unwrap_or(usize::MAX), until };
    let request = outgoing::build(config, parameters, place, &bounds)?;
    let (sink, target) = sink::open(parameters.get(Field::Sink), until)
        .map_err(|refusal| place.refuse(Field::Sink, refusal))?;
    let call = Call {
        request: request.into_inner(),
        settings: Arc::clone(&config.settings),
        route: route(config),
        deadline,
        max_body: config.settings.max_body_size.min(memory),
        sink,
        sink_errors: !config.throw_on_error,
        hooks: client.callbacks.wanted(),
        limits: limits(config, parameters),
        lane: None,
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

/// The earlier of the call's own and the web request's; a virtual clock knows no web request.
fn deadline(config: &Config, script: Option<&Script>) -> Option<Timestamp> {
    let (now, of_request) = match script {
        Some(script) => (script.clock().now(), None),
        None => (runtime::now(), budget::deadline()),
    };
    let own = config.settings.budget.map(|budget| now.after(budget));
    own.into_iter().chain(of_request).min()
}

/// A call in flight. Dropped before its end, it is cancelled.
struct Flight<'a> {
    id: CallId,
    client: &'a Client,
    script: Option<&'a Script>,
    parameters: &'a Parameters,
    target: Target,
    room: &'a Room,
    /// Of the request's body.
    length: u64,
    /// The request as PHP code sees it, made when it is first asked for.
    shown: OnceCell<Zval>,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        runtime::cancel(self.id);
    }
}

impl Flight<'_> {
    fn run(&self) -> Parsed<BailoutGuard<Ended>> {
        loop {
            match runtime::drive(self.id) {
                Step::Done(ended) => return Ok(BailoutGuard::new(*ended)),
                step => self.answer(step)?,
            }
        }
    }

    fn answer(&self, step: Step) -> Parsed<()> {
        let callbacks = &self.client.callbacks;
        match step {
            Step::Attempt { number } => {
                let headers = callbacks.on_attempt(self.request(), number, self.length)?;
                runtime::answer_attempt(self.id, headers);
            }
            Step::Outcome { attempts, response, waited, elapsed } => {
                let mut seen = BailoutGuard::new((attempts, response));
                let (attempt, response) = show_outcome(&mut seen, self.room, waited, elapsed);
                drop(seen);
                callbacks.on_outcome(attempt, response)?;
                runtime::answer_outcome(self.id);
            }
            Step::Retry { attempt, wait } => {
                let failed = attempt::attempt(&attempt);
                drop(attempt);
                let go_on = callbacks.on_retry(failed, wait.as_secs_f64())?;
                runtime::answer_retry(self.id, go_on);
            }
            Step::SinkWrite(chunk) => {
                let chunk = BailoutGuard::new(chunk);
                let written = self.target.write(&chunk)?;
                runtime::answer_sink(self.id, written);
            }
            Step::SinkRewind => runtime::answer_sink(self.id, self.target.rewind()?),
            Step::Room { length } => runtime::answer_room(self.id, self.room.lend(length)),
            Step::Exchange(sent) => self.exchange(sent)?,
            Step::Interrupted => interrupt::handle()?,
            // `run` has taken it.
            Step::Done(_) => {}
        }
        Ok(())
    }

    fn exchange(&self, sent: client::Request) -> Parsed<()> {
        let Some(script) = self.script else { return Ok(()) };
        let sent = BailoutGuard::new(sent);
        let answer = script.exchange(&sent, self.parameters)?;
        runtime::answer_exchange(self.id, answer);
        Ok(())
    }

    fn request(&self) -> Zval {
        self.shown.get_or_init(|| request::create_with(self.parameters.copy())).shallow_clone()
    }
}

/// The attempt that ended, and its response or null; without a body if there is no memory for it.
fn show_outcome(
    seen: &mut (Vec<Attempt>, Option<Response>),
    room: &Room,
    waited: std::time::Duration,
    elapsed: std::time::Duration,
) -> (Zval, Zval) {
    let (attempts, response) = seen;
    if let Some(response) = response
        && !room.fits(&response.body)
    {
        response.body.clear();
    }
    let attempt = object::or_null(attempts.last().map(attempt::attempt));
    let response = response.as_ref().map(|response| {
        response::response(
            response,
            room.string(&response.body),
            &attempt::attempts(attempts),
            waited,
            elapsed,
        )
    });
    (attempt, object::or_null(response))
}
