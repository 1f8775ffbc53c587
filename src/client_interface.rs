//! What can send: the methods that `\RetryClient` and `RetryClient\FakeClient` share, and
//! `RetryClient\ClientInterface`, which names them.

use ext_php_rs::{error::Result, types::Zval, zend::ce};

use crate::{
    batch,
    drive::{self, What},
    flight::Source,
    parameters::{self, Parameters, Place},
    pending,
    refusal::running,
    request::{self, REQUEST},
    streamed,
    zend::{
        Args, Class, Handle, Method, Object, Parsed, Thrown, Type, method,
        method::signature,
        native::{self, Native},
        param, throw,
    },
};

pub static INTERFACE: Handle = Handle::new();

const RESPONSE: Type = Type::class("RetryClient\\Response");

/// A class whose objects send.
pub trait Sender: Native {
    /// What its calls are sent with.
    fn source(&self, this: Object<'_>) -> Parsed<Source>;
    /// A copy with other options.
    fn with(&self, options: Option<Zval>, args: &Args<'_>) -> Parsed<Zval>;
}

pub fn register() -> Result<()> {
    Class::interface("RetryClient\\ClientInterface")
        .methods(DECLARED.map(|name| declare(name, signature(name))))
        .register(&INTERFACE)
}

/// The interface's methods, for a class whose state is an `S`.
pub fn methods<S: Sender>() -> Vec<Method> {
    vec![
        declare("send", method("send", send::<S>)),
        declare("get", method("get", |args, result| verb::<S>("GET", args, result))),
        declare("post", method("post", |args, result| verb::<S>("POST", args, result))),
        declare("put", method("put", |args, result| verb::<S>("PUT", args, result))),
        declare("patch", method("patch", |args, result| verb::<S>("PATCH", args, result))),
        declare("delete", method("delete", |args, result| verb::<S>("DELETE", args, result))),
        declare("head", method("head", |args, result| verb::<S>("HEAD", args, result))),
        declare("sendRequest", method("sendRequest", send_request::<S>)),
        declare("sendAll", method("sendAll", send_all::<S>)),
        declare("stream", method("stream", stream::<S>)),
        declare("start", method("start", start::<S>)),
        declare("with", method("with", with::<S>)),
    ]
}

const DECLARED: [&str; 12] = [
    "send",
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "head",
    "sendRequest",
    "sendAll",
    "stream",
    "start",
    "with",
];

/// Parameters and return type.
fn declare(name: &str, method: Method) -> Method {
    match name {
        "send" => method.params(parameters::with_method()).returns(RESPONSE),
        "sendRequest" => method.param(param("request", Type::class(request::NAME))).returns(RESPONSE),
        "sendAll" => method.params(batch::params()).returns(Type::class(batch::NAME)),
        "stream" => method.params(parameters::without_sink()).returns(Type::class(streamed::NAME)),
        "start" => {
            method.param(param("request", Type::class(request::NAME))).returns(Type::class(pending::NAME))
        }
        "with" => method.param(param("options", Type::MIXED).variadic()).returns(Type::STATIC),
        _ => method.params(parameters::without_method()).returns(RESPONSE),
    }
}

/// What the calls of `$this` are sent with.
fn source<S: Sender>(args: &Args<'_>) -> Parsed<Source> {
    this::<S>(args)?.source(args.this()?)
}

/// The state of `$this`. The object lives as long as the call of its method.
fn this<'a, S: Sender>(args: &Args<'a>) -> Parsed<&'a S> {
    let this = args.this()?;
    // SAFETY: these methods are declared for classes registered with `Class::native::<S>` only, all final.
    unsafe { native::state::<S>(this) }
}

fn send<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::WithMethod(args);
    let parameters = Parameters::from_args(args, &place, None)?;
    parameters.check(&place)?;
    *result = drive::send(source::<S>(args)?, What { parameters, place: &place, request: None })?;
    Ok(())
}

fn verb<S: Sender>(method: &str, args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::WithoutMethod(args);
    let parameters = Parameters::from_args(args, &place, Some(method))?;
    parameters.check(&place)?;
    *result = drive::send(source::<S>(args)?, What { parameters, place: &place, request: None })?;
    Ok(())
}

fn send_request<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::Request(args);
    *result = drive::send(source::<S>(args)?, requested(args, &place)?)?;
    Ok(())
}

/// `Request $request` as the first argument.
fn requested<'a>(args: &Args<'a>, place: &'a Place<'a>) -> Parsed<What<'a>> {
    let request = args.object(0, REQUEST.class())?.ok_or(Thrown)?;
    Ok(What { parameters: Parameters::from_request(request)?, place, request: Some(request) })
}

fn send_all<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    *result = batch::send_all(source::<S>(args)?, args)?;
    Ok(())
}

fn stream<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::WithoutSink(args);
    let parameters = Parameters::from_args(args, &place, None)?;
    parameters.check(&place)?;
    *result = streamed::stream(source::<S>(args)?, What { parameters, place: &place, request: None })?;
    Ok(())
}

fn start<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let place = Place::Request(args);
    *result = pending::start(source::<S>(args)?, requested(args, &place)?)?;
    Ok(())
}

fn with<S: Sender>(args: &Args<'_>, result: &mut Zval) -> Parsed<()> {
    let options = args.take_named();
    refuse_positional(args, 0)?;
    *result = this::<S>(args)?.with(options, args)?;
    Ok(())
}

/// Options have no order.
pub fn refuse_positional(args: &Args<'_>, declared: u32) -> Parsed<()> {
    if args.count() > declared {
        args.hide_surplus(declared);
        let message = format!("{} takes its options by name only", running());
        return Err(throw::throw(ce::argument_count_error(), message));
    }
    Ok(())
}
