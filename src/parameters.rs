//! The parameters that `send()`, the verbs and `Request` share: how they are declared, read from a call or
//! from a `Request`, and what is refused about them before a URI or a file is looked at.

use ext_php_rs::types::{ZendHashTable, Zval};
use http::Method;

use crate::{
    body, headers, multipart,
    php_stream::Stream,
    refusal::Refusal,
    request::REQUEST,
    text, uri,
    zend::{
        Args, Object, Param, Parsed, Thrown, Type, args::type_name, native::Tracer, object, param, throw,
    },
};

/// One of them, in the order of `send()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Method,
    Uri,
    Headers,
    Body,
    Json,
    Form,
    Query,
    Multipart,
    Sink,
    LimitKey,
    Cost,
}

pub const COUNT: usize = 11;

impl Field {
    pub const ALL: [Self; COUNT] = [
        Self::Method,
        Self::Uri,
        Self::Headers,
        Self::Body,
        Self::Json,
        Self::Form,
        Self::Query,
        Self::Multipart,
        Self::Sink,
        Self::LimitKey,
        Self::Cost,
    ];

    pub const fn index(self) -> usize {
        self as usize
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Uri => "uri",
            Self::Headers => "headers",
            Self::Body => "body",
            Self::Json => "json",
            Self::Form => "form",
            Self::Query => "query",
            Self::Multipart => "multipart",
            Self::Sink => "sink",
            Self::LimitKey => "limitKey",
            Self::Cost => "cost",
        }
    }

    pub const fn type_(self) -> Type {
        match self {
            Self::Method | Self::Uri => Type::STRING,
            Self::Headers | Self::Form | Self::Query | Self::Multipart => Type::ARRAY,
            Self::Body | Self::Json | Self::Sink => Type::MIXED,
            Self::LimitKey => Type::STRING.or_null(),
            Self::Cost => Type::FLOAT.or_null(),
        }
    }

    const fn declaration(self) -> Param {
        let plain = param(self.name(), self.type_());
        match self {
            Self::Method => plain,
            Self::Uri => plain.sensitive(),
            Self::Sink | Self::Cost => plain.default("null"),
            Self::Headers | Self::Form | Self::Query | Self::Multipart => plain.default("[]").sensitive(),
            Self::Body | Self::Json | Self::LimitKey => plain.default("null").sensitive(),
        }
    }
}

/// `$method` and all that follows it.
pub fn with_method() -> impl Iterator<Item = Param> {
    Field::ALL.into_iter().map(Field::declaration)
}

/// All but `$method`.
pub fn without_method() -> impl Iterator<Item = Param> {
    with_method().skip(1)
}

/// All but `$sink`.
pub fn without_sink() -> impl Iterator<Item = Param> {
    Field::ALL.into_iter().filter(|field| *field != Field::Sink).map(Field::declaration)
}

/// Where the parameters stand in the call that is running, for error messages.
#[derive(Debug)]
pub enum Place<'a> {
    /// `$method, $uri, …`
    WithMethod(&'a Args<'a>),
    /// `$uri, …`
    WithoutMethod(&'a Args<'a>),
    /// `$method, $uri, …`, but no `$sink`
    WithoutSink(&'a Args<'a>),
    /// `Request $request` as the first argument.
    Request(&'a Args<'a>),
    /// The value that an iterable, the first argument of a method, has under a key: where that is, and the key.
    Element(&'static str, &'a Zval),
}

impl Place<'_> {
    /// The argument's index; a request's fields are all inside the first.
    fn index(&self, field: Field) -> usize {
        match self {
            Self::WithMethod(_) => field.index(),
            Self::WithoutMethod(_) => field.index().saturating_sub(1),
            Self::WithoutSink(_) if field.index() > Field::Sink.index() => field.index().saturating_sub(1),
            Self::WithoutSink(_) => field.index(),
            Self::Request(_) | Self::Element(..) => 0,
        }
    }

    /// Throws.
    pub fn refuse(&self, field: Field, refusal: Refusal) -> Thrown {
        let args = match self {
            Self::WithMethod(args)
            | Self::WithoutMethod(args)
            | Self::WithoutSink(args)
            | Self::Request(args) => args,
            Self::Element(method, key) => {
                let key = text::shown_key(key);
                let whole = |rule| format!("{method}, key {key}: property ${} {rule}", field.name());
                return match refusal {
                    Refusal::Type(rule) => throw::type_error(whole(rule)),
                    Refusal::Value(rule) => throw::value_error(whole(rule)),
                    Refusal::Thrown => Thrown,
                };
            }
        };
        let whole = |rule: String| match self {
            Self::Request(_) => format!("property ${} {rule}", field.name()),
            _ => rule,
        };
        match refusal {
            Refusal::Type(rule) => args.type_error_rule(self.index(field), &whole(rule)),
            Refusal::Value(rule) => args.value_error(self.index(field), &whole(rule)),
            Refusal::Thrown => Thrown,
        }
    }

    /// Throws a ValueError.
    pub fn value_error(&self, field: Field, rule: impl Into<String>) -> Thrown {
        self.refuse(field, Refusal::value(rule))
    }
}

/// The values, of the declared types.
#[derive(Debug)]
pub struct Parameters {
    values: [Zval; COUNT],
}

impl Parameters {
    /// Reads the arguments of the running call, weak or strict as its caller is. `method` is what a verb
    /// stands for.
    pub fn from_args(args: &Args<'_>, place: &Place<'_>, method: Option<&str>) -> Parsed<Self> {
        let mut values = [const { Zval::new() }; COUNT];
        for (field, slot) in Field::ALL.into_iter().zip(&mut values) {
            *slot = match (field, method) {
                (Field::Sink, _) if matches!(place, Place::WithoutSink(_)) => Zval::null(),
                (Field::Method, Some(method)) => object::string(method),
                _ => read(args, place.index(field), field)?,
            };
        }
        Ok(Self { values })
    }

    /// What a `Request` was constructed with.
    pub fn from_request(request: Object<'_>) -> Parsed<Self> {
        let mut values = [const { Zval::new() }; COUNT];
        for (field, slot) in Field::ALL.into_iter().zip(&mut values) {
            *slot = REQUEST.read(request, field.index())?.shallow_clone();
        }
        Ok(Self { values })
    }

    /// The same values once more.
    pub fn copy(&self) -> Self {
        Self { values: self.values.each_ref().map(Zval::shallow_clone) }
    }

    pub fn trace(&self, tracer: &mut Tracer) {
        self.values.iter().for_each(|value| tracer.value(value));
    }

    pub fn into_values(self) -> [Zval; COUNT] {
        self.values
    }

    pub fn set(&mut self, field: Field, value: Zval) {
        if let Some(place) = self.values.get_mut(field.index()) {
            *place = value;
        }
    }

    pub fn get(&self, field: Field) -> &Zval {
        static NULL: NullValue = NullValue(Zval::new());
        self.values.get(field.index()).unwrap_or(&NULL.0)
    }

    pub fn bytes(&self, field: Field) -> &[u8] {
        text::bytes(self.get(field))
    }

    /// `None` if it is empty.
    pub fn array(&self, field: Field) -> Option<&ZendHashTable> {
        self.get(field).array().filter(|array| !array.is_empty())
    }

    /// What is wrong with them on the face of it. Code of `Stringable` header values runs.
    pub fn check(&self, place: &Place<'_>) -> Parsed<()> {
        let refused = |field: Field| move |refusal: Refusal| place.refuse(field, refusal);
        let valued = |field: Field| move |rule: String| place.refuse(field, Refusal::Value(rule));
        self.check_one_body(place)?;
        body::check(self.get(Field::Body)).map_err(refused(Field::Body))?;
        self.array(Field::Multipart).map_or(Ok(()), multipart::check).map_err(refused(Field::Multipart))?;
        check_sink(self.get(Field::Sink)).map_err(refused(Field::Sink))?;
        let key = self.get(Field::LimitKey);
        if key.zend_str().is_some_and(|key| key.as_bytes().is_empty()) {
            return Err(place.value_error(Field::LimitKey, "must not be empty"));
        }
        let cost = self.get(Field::Cost).double();
        cost.map_or(Ok(()), |cost| policy::limit::check_cost(cost, None)).map_err(valued(Field::Cost))
    }

    /// What is wrong with method, URI or headers. Building the request would find it too: only a
    /// [`Request`](crate::request) is checked before that.
    pub fn check_head(&self, place: &Place<'_>) -> Parsed<()> {
        method(self.bytes(Field::Method)).map_err(|rule| place.value_error(Field::Method, rule))?;
        uri::check(self.bytes(Field::Uri)).map_err(|error| place.value_error(Field::Uri, error.rule()))?;
        self.array(Field::Headers)
            .map_or(Ok(()), |array| headers::parse(array).map(drop))
            .map_err(|refusal| place.refuse(Field::Headers, refusal))
    }

    fn check_one_body(&self, place: &Place<'_>) -> Parsed<()> {
        let given = |field: &Field| match field {
            Field::Body | Field::Json => !self.get(*field).is_null(),
            _ => self.array(*field).is_some(),
        };
        let bodies = [Field::Body, Field::Json, Field::Form, Field::Multipart];
        let mut given = bodies.into_iter().filter(given);
        match (given.next(), given.next()) {
            (Some(first), Some(second)) => {
                let rule = format!("must not be given together with ${}", first.name());
                Err(place.value_error(second, rule))
            }
            _ => Ok(()),
        }
    }
}

/// A null that can be handed out for as long as the process lives.
struct NullValue(Zval);

// SAFETY: null refers to nothing and is never written to.
unsafe impl Sync for NullValue {}

fn read(args: &Args<'_>, index: usize, field: Field) -> Parsed<Zval> {
    let value = args.value_of(index, field.type_())?;
    Ok(value.unwrap_or_else(|| if field.type_() == Type::ARRAY { Zval::new_array() } else { Zval::null() }))
}

fn check_sink(value: &Zval) -> Result<(), Refusal> {
    if value.is_null() || value.is_string() {
        return Ok(());
    }
    if !value.is_resource() {
        return Err(Refusal::Type(format!(
            "must be of type string, resource or null, {} given",
            type_name(value)
        )));
    }
    let stream = Stream::of(value).ok_or_else(|| Refusal::ty("must be an open stream resource"))?;
    if stream.is_writable() { Ok(()) } else { Err(Refusal::value("must be a writable stream")) }
}

/// A token. Methods are case-sensitive, but a lower-case `post` can only mean the one that everybody knows.
pub fn method(name: &[u8]) -> Result<Method, &'static str> {
    const KNOWN: [Method; 8] = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::HEAD,
        Method::OPTIONS,
        Method::TRACE,
    ];
    if name.eq_ignore_ascii_case(b"CONNECT") {
        return Err("must not be CONNECT, which opens a tunnel");
    }
    let known = KNOWN.into_iter().find(|known| name.eq_ignore_ascii_case(known.as_str().as_bytes()));
    known.map_or_else(|| Method::from_bytes(name).map_err(|_| "must be a valid HTTP method"), Ok)
}
