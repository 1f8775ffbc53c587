//! `RetryClient\Pending`: a call that goes on while PHP waits for it or for any other; and `RetryClient::poll()`, which
//! waits for several.

use std::{
    cell::{OnceCell, RefCell},
    time::Duration,
};

use client::runtime::{self, CallId};
use ext_php_rs::{
    error::Result,
    types::{ZendHashTable, Zval},
};
use policy::Timestamp;

use crate::{
    drive::{self, Delivery, What},
    flight::{self, Awaited, Source, Turn},
    headers, response, seconds, text,
    zend::{
        Args, Class, Handle, Iteration, Object, Parsed, Thrown, Type,
        args::type_name,
        method,
        native::{self, Native, Tracer},
        object, param, strings, throw,
    },
};

pub static PENDING: Handle = Handle::new();

pub const NAME: &str = "RetryClient\\Pending";

/// How long `poll` gathers news before it tells them.
const GATHERING: Duration = Duration::from_millis(5);

/// How long PHP code may ask to wait for: more is no limit.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

pub fn register() -> Result<()> {
    const RESPONSE: Type = Type::class(response::NAME).or_null();
    Class::native::<Pending>(NAME)
        .method(method("__construct", |_, _| Ok(())).private())
        .method(
            method("wait", wait)
                .param(param("timeout", Type::FLOAT.or_null()).default("null"))
                .returns(RESPONSE),
        )
        .method(method("cancel", cancel).returns(Type::VOID))
        .method(method("done", done).returns(Type::BOOL))
        .method(method("status", status).returns(Type::INT.or_null()))
        .method(method("reasonPhrase", reason_phrase).returns(Type::STRING.or_null()))
        .method(method("protocol", protocol).returns(Type::STRING.or_null()))
        .method(method("headers", show_headers).returns(Type::ARRAY))
        .method(method("read", read).returns(Type::STRING))
        .method(method("received", received).returns(Type::INT))
        .method(method("waitingUntil", waiting_until).returns(Type::FLOAT.or_null()))
        .method(method("removedHeaders", removed_headers).returns(Type::ARRAY))
        .register(&PENDING)
}

struct Pending {
    flight: Awaited,
    /// The response, or what was thrown.
    outcome: OnceCell<std::result::Result<Zval, Zval>>,
}

impl Native for Pending {
    fn trace(&self, tracer: &mut Tracer) {
        self.flight.trace(tracer);
        if let Some(Ok(value) | Err(value)) = self.outcome.get() {
            tracer.value(value);
        }
    }
}

/// Begins the call, and lets it go as far as it comes without waiting.
pub fn start(source: Source, what: What<'_>) -> Parsed<Zval> {
    let is_scripted = source.is_scripted();
    let flight = drive::begin(source, what, Delivery::Kept)?;
    // Virtual time passes at once.
    flight.wait(if is_scripted { None } else { Some(runtime::now()) })?;
    flight
        .has_moved
        .set(flight.is_over() || flight.incoming.as_ref().is_some_and(|own| own.begun().is_some()));
    // SAFETY: the class registered with `Class::native::<Pending>`.
    unsafe { native::create_with(&PENDING, Pending { flight, outcome: OnceCell::new() }) }
}

fn this<'a>(args: &Args<'a>) -> Parsed<&'a Pending> {
    // SAFETY: methods of a final class registered with `Class::native::<Pending>`.
    unsafe { native::state(args.this()?) }
}

/// `?float $timeout`: the instant, on the clock of calls.
fn timeout(args: &Args<'_>, index: usize) -> Parsed<Option<Timestamp>> {
    let Some(seconds) = args.float_or_null(index)? else { return Ok(None) };
    if !seconds.is_finite() || seconds < 0.0 {
        let bound = if seconds.is_finite() { "greater than or equal to 0" } else { "finite" };
        let rule = format!("must be {bound}, {} given", policy::given::float(seconds));
        return Err(args.value_error(index, &rule));
    }
    let length = Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST).min(LONGEST);
    Ok(Some(runtime::now().after(length)))
}

fn wait(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let until = timeout(args, 0)?;
    let this = this(args)?;
    if !this.flight.wait(until)? {
        return Ok(());
    }
    match this.outcome()? {
        Ok(response) => *result = response.shallow_clone(),
        Err(thrown) => return Err(throw::throw_object(thrown.shallow_clone())),
    }
    Ok(())
}

impl Pending {
    /// Of a call that is over.
    fn outcome(&self) -> Parsed<&std::result::Result<Zval, Zval>> {
        if self.outcome.get().is_none() && !self.flight.is_cancelled() {
            let outcome = match self.flight.conclude() {
                Ok(response) => Ok(response),
                Err(thrown) => Err(throw::take_throwable().ok_or(thrown)?),
            };
            let _ = self.outcome.set(outcome);
        }
        self.outcome.get().ok_or_else(|| throw::error("The request was cancelled"))
    }
}

fn cancel(args: &Args<'_>, _: &mut Zval) -> Parsed<()> {
    this(args)?.flight.cancel();
    Ok(())
}

fn done(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    result.set_bool(this(args)?.flight.is_over());
    Ok(())
}

fn status(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let status = this(args)?.flight.answer_so_far(|response| i64::from(response.status));
    *result = object::or_null(status.map(object::value));
    Ok(())
}

fn reason_phrase(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let phrase = this(args)?.flight.answer_so_far(|response| object::string(&response.reason_phrase));
    *result = object::or_null(phrase);
    Ok(())
}

fn protocol(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let protocol =
        this(args)?.flight.answer_so_far(|response| object::string(response::protocol(response.version)));
    *result = object::or_null(protocol);
    Ok(())
}

fn show_headers(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let shown = this(args)?.flight.answer_so_far(|response| headers::to_array(&response.headers));
    *result = shown.unwrap_or_else(Zval::new_array);
    Ok(())
}

fn read(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let this = this(args)?;
    let body = this.flight.take_body();
    *result = strings::joined(body.len(), body.chunks());
    Ok(())
}

fn received(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let received = this(args)?.flight.received();
    *result = object::value(i64::try_from(received).unwrap_or(i64::MAX));
    Ok(())
}

fn waiting_until(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let until = runtime::waiting_until(this(args)?.flight.id());
    let at = until.map(|until| object::value(seconds::unix_time(until, runtime::now())));
    *result = object::or_null(at);
    Ok(())
}

fn removed_headers(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let removed = this(args)?
        .flight
        .answer_so_far(|response| headers::to_array(&response.removed.iter().cloned().collect()));
    *result = removed.unwrap_or_else(Zval::new_array);
    Ok(())
}

/// `RetryClient::poll()`.
pub fn poll(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let given = args.get(0).ok_or(Thrown)?;
    let iteration = Iteration::of(given).ok_or_else(|| args.type_error(0, "Traversable|array", given))?;
    let until = timeout(args, 1)?;
    let pending = Listed::all(args, &iteration)?;
    let ids: Vec<CallId> =
        pending.iter().map(|one| one.flight().map(|flight| flight.id())).collect::<Parsed<_>>()?;
    let mut is_late = pending.is_empty();
    // What has come meanwhile counts, too; not all that a fast server goes on to send.
    let past = runtime::now();
    let enough = past.after(GATHERING);
    while !is_late
        && flight::turn(&|id| ids.contains(&id), Some(past))? == Turn::Moved
        && runtime::now() < enough
    {}
    loop {
        let news = changed(&pending)?;
        if !news.is_empty() || is_late {
            *result = object::value(news);
            return Ok(());
        }
        match flight::turn(&|id| ids.contains(&id), until)? {
            Turn::Moved => {}
            Turn::Late => is_late = true,
            Turn::Idle => {
                // Who waits in its own callback gets no news of it.
                is_late = until.is_some();
                let is_stuck = |flight: &Awaited| is_late && runtime::knows(flight.id());
                let mut flights = pending.iter().map(Listed::flight);
                flights.try_for_each(|flight| match flight? {
                    flight if is_stuck(flight) => Ok(()),
                    flight => flight.end_here(),
                })?;
            }
        }
    }
}

/// One of those that are polled, held while PHP code runs.
struct Listed {
    key: Zval,
    pending: Zval,
}

impl Listed {
    fn all(args: &Args<'_>, iteration: &Iteration) -> Parsed<Vec<Self>> {
        let all = RefCell::new(Vec::new());
        while let Some((key, pending)) = iteration.next()? {
            if !(key.is_long() || key.is_string()) {
                let rule = format!("must have keys of type int|string, {} given", type_name(&key));
                return Err(args.type_error_rule(0, &rule));
            }
            if !PENDING.owns(&pending) {
                let rule = format!(
                    "must contain only {NAME}, {} given at key {}",
                    type_name(&pending),
                    text::shown_key(&key)
                );
                return Err(args.type_error_rule(0, &rule));
            }
            all.borrow_mut().push(Self { key, pending });
        }
        Ok(all.into_inner())
    }

    fn flight(&self) -> Parsed<&Awaited> {
        let object = Object::of(&self.pending).ok_or(Thrown)?;
        // SAFETY: `all` lets in objects of the class registered with `Class::native::<Pending>` only.
        unsafe { native::state::<Pending>(object) }.map(|pending| &pending.flight)
    }
}

/// Those that are over, or have moved since they were told last.
fn changed(pending: &[Listed]) -> Parsed<ext_php_rs::boxed::ZBox<ZendHashTable>> {
    let mut changed = ZendHashTable::new();
    for one in pending {
        let flight = one.flight()?;
        if flight.has_moved.replace(false) || flight.is_over() {
            object::insert(&mut changed, &text::key(&one.key), one.pending.shallow_clone());
        }
    }
    Ok(changed)
}
