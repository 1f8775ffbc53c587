//! The constructor's arguments: how they are declared, and what a client makes of them.

use std::{ffi::c_char, path::PathBuf, sync::Arc};

use client::{Hosts, HttpVersion, ProxyChoice, Route, Tls};
use ext_php_rs::{
    types::{ZendHashTable, ZendStr, Zval},
    zend::BailoutGuard,
};
use http::{HeaderMap, header};
use policy::{Options, Settings, status::StatusSet};
use url::Url;

use crate::{
    header_rules, headers, local_path,
    refusal::Refusal,
    text, uri,
    zend::{
        Args, Param, Parsed, Thrown, Type,
        args::{StringOrBool, type_name},
        param, throw,
    },
};

/// One parameter of the constructor.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    pub name: &'static str,
    pub type_: Type,
    default: &'static str,
    secret: bool,
}

const fn plain(name: &'static str, type_: Type, default: &'static str) -> Declared {
    Declared { name, type_, default, secret: false }
}

const fn secret(name: &'static str, type_: Type, default: &'static str) -> Declared {
    Declared { name, type_, default, secret: true }
}

const STRING: Type = Type::STRING.or_null();
const FLOAT: Type = Type::FLOAT.or_null();
const CALLABLE: Type = Type::CALLABLE.or_null();

/// In the constructor's order. [`Options::default`] says the same defaults.
pub const DECLARED: [Declared; 33] = [
    secret("baseUri", STRING, "null"),
    secret("headers", Type::ARRAY, "[]"),
    plain("maxAttempts", Type::INT, "5"),
    plain("baseDelay", Type::FLOAT, "0.5"),
    plain("multiplier", Type::FLOAT, "2.0"),
    plain("maxDelay", Type::FLOAT, "30.0"),
    plain("jitter", Type::FLOAT, "0.25"),
    plain("maxRetryAfter", Type::FLOAT, "30.0"),
    plain("retryOn", Type::ARRAY, "[429, '5xx']"),
    plain("retryUnsafe", Type::BOOL, "false"),
    plain("idempotencyKey", Type::BOOL, "true"),
    plain("throwOnGiveUp", Type::BOOL, "true"),
    plain("throwOnError", Type::BOOL, "false"),
    plain("timeout", Type::FLOAT, "600.0"),
    plain("connectTimeout", Type::FLOAT, "10.0"),
    plain("idleTimeout", FLOAT, "null"),
    plain("budget", FLOAT, "null"),
    plain("maxRedirects", Type::INT, "5"),
    plain("decode", Type::BOOL, "true"),
    plain("maxBodySize", Type::INT, "67108864"),
    secret("proxy", STRING, "null"),
    plain("verify", Type::STRING.or(Type::BOOL), "true"),
    plain("cert", STRING, "null"),
    secret("key", STRING, "null"),
    plain("resolve", Type::ARRAY, "[]"),
    plain("httpVersion", STRING, "null"),
    plain("userAgent", STRING, "null"),
    plain("share", Type::BOOL, "true"),
    plain("limit", STRING, "null"),
    secret("limitKey", STRING, "null"),
    plain("onRetry", CALLABLE, "null"),
    plain("onAttempt", CALLABLE, "null"),
    plain("onOutcome", CALLABLE, "null"),
];

/// The parameters as `__construct` declares them.
pub fn params() -> impl Iterator<Item = Param> {
    DECLARED.into_iter().map(|declared| {
        let param = param(declared.name, declared.type_).default(declared.default);
        if declared.secret { param.sensitive() } else { param }
    })
}

/// Where a parameter stands. Names are written in this crate only, so each is found.
pub fn position(name: &str) -> usize {
    DECLARED.iter().position(|declared| declared.name == name).unwrap_or(DECLARED.len())
}

/// Options that hold, but for the callbacks.
#[derive(Debug)]
pub struct Config {
    pub settings: Arc<Settings>,
    pub route: Arc<Route>,
    pub base: Option<Url>,
    /// Sent with every request that does not say otherwise.
    pub headers: HeaderMap,
    pub share: bool,
    pub limit_key: Option<String>,
    pub throw_on_give_up: bool,
    pub throw_on_error: bool,
}

impl Config {
    /// Reads the arguments of the running constructor.
    pub fn from_args(args: &Args<'_>) -> Parsed<Self> {
        let given = Given { args };
        // Values of headers can run PHP code, and a conversion can end in a bailout.
        let options = BailoutGuard::new(given.options()?);
        let throws = (given.bool("throwOnGiveUp", true)?, given.bool("throwOnError", false)?);
        let share = given.bool("share", true)?;
        let route = BailoutGuard::new(given.route()?);
        let base = BailoutGuard::new(given.base()?);
        let headers = BailoutGuard::new(given.headers()?);
        let settings = options.validate().map_err(|error| given.value_error(error.option, &error.rule))?;
        route.check().map_err(|error| given.value_error(error.option, &error.rule))?;
        Ok(Self {
            settings: Arc::new(settings),
            route: Arc::new(route.into_inner()),
            base: base.into_inner(),
            headers: headers.into_inner(),
            share,
            limit_key: given.limit_key()?,
            throw_on_give_up: throws.0,
            throw_on_error: throws.1,
        })
    }
}

/// The arguments by their names.
struct Given<'a> {
    args: &'a Args<'a>,
}

impl<'a> Given<'a> {
    fn int(&self, name: &str, default: i64) -> Parsed<i64> {
        self.args.int(position(name), default)
    }

    fn float(&self, name: &str, default: f64) -> Parsed<f64> {
        self.args.float(position(name), default)
    }

    fn float_or_null(&self, name: &str) -> Parsed<Option<f64>> {
        self.args.float_or_null(position(name))
    }

    fn bool(&self, name: &str, default: bool) -> Parsed<bool> {
        self.args.bool(position(name), default)
    }

    fn string(&self, name: &str) -> Parsed<Option<&'a [u8]>> {
        Ok(self.args.string_or_null(position(name))?.map(ZendStr::as_bytes))
    }

    fn value_error(&self, name: &str, rule: &str) -> Thrown {
        self.args.value_error(position(name), rule)
    }

    fn refuse(&self, name: &str, refusal: Refusal) -> Thrown {
        match refusal {
            Refusal::Type(rule) => self.args.type_error_rule(position(name), &rule),
            Refusal::Value(rule) => self.value_error(name, &rule),
            Refusal::Thrown => Thrown,
        }
    }

    fn options(&self) -> Parsed<Options> {
        let known = Options::default();
        let retry_on = self.args.array(position("retryOn"))?;
        Ok(Options {
            max_attempts: self.int("maxAttempts", known.max_attempts)?,
            base_delay: self.float("baseDelay", known.base_delay)?,
            multiplier: self.float("multiplier", known.multiplier)?,
            max_delay: self.float("maxDelay", known.max_delay)?,
            jitter: self.float("jitter", known.jitter)?,
            max_retry_after: self.float("maxRetryAfter", known.max_retry_after)?,
            retry_on: match retry_on {
                Some(list) => Some(statuses(list).map_err(|refusal| self.refuse("retryOn", refusal))?),
                None => None,
            },
            retry_unsafe: self.bool("retryUnsafe", known.retry_unsafe)?,
            idempotency_key: self.bool("idempotencyKey", known.idempotency_key)?,
            timeout: self.float("timeout", known.timeout)?,
            connect_timeout: self.float("connectTimeout", known.connect_timeout)?,
            idle_timeout: self.float_or_null("idleTimeout")?,
            budget: self.float_or_null("budget")?,
            max_redirects: self.int("maxRedirects", known.max_redirects)?,
            max_body_size: self.int("maxBodySize", known.max_body_size)?,
            limit: self.string("limit")?.map(|limit| String::from_utf8_lossy(limit).into_owned()),
        })
    }

    fn base(&self) -> Parsed<Option<Url>> {
        let Some(text) = self.string("baseUri")? else { return Ok(None) };
        uri::parse_base(text).map(Some).map_err(|error| self.value_error("baseUri", error.rule()))
    }

    /// The headers and, unless they say it, the user agent.
    fn headers(&self) -> Parsed<HeaderMap> {
        let mut known = HeaderMap::new();
        let agent = match self.string("userAgent")? {
            Some(agent) => agent.to_vec(),
            None => [USER_AGENT.as_bytes(), php_version()].concat(),
        };
        let agent = header_rules::value(&agent)
            .ok_or_else(|| self.value_error("userAgent", "must not contain control characters"))?;
        if !agent.is_empty() {
            known.insert(header::USER_AGENT, agent);
        }
        let Some(array) = self.args.array(position("headers"))? else { return Ok(known) };
        let own = headers::parse(array).map_err(|refusal| self.refuse("headers", refusal))?;
        own.over(&known).map_err(|refusal| self.refuse("headers", refusal))
    }

    fn route(&self) -> Parsed<Route> {
        let (verify, ca_file) = match self.args.string_or_bool(position("verify"))? {
            None => (true, None),
            Some(StringOrBool::Bool(verify)) => (verify, None),
            Some(StringOrBool::String(path)) => (true, Some(self.path("verify", path.as_bytes())?)),
        };
        let proxy = match self.string("proxy")? {
            None => ProxyChoice::Environment,
            Some(b"") => ProxyChoice::None,
            Some(url) => ProxyChoice::Url(String::from_utf8_lossy(url).into_owned()),
        };
        let cert = self.string("cert")?.map(|path| self.path("cert", path)).transpose()?;
        let key = self.string("key")?.map(|path| self.path("key", path)).transpose()?;
        let hosts = match self.args.array(position("resolve"))? {
            Some(array) => hosts(array).map_err(|refusal| self.refuse("resolve", refusal))?,
            None => Hosts::default(),
        };
        let http_version = match self.string("httpVersion")? {
            None => HttpVersion::Negotiated,
            Some(b"1.1") => HttpVersion::Http11,
            Some(b"1.0") => HttpVersion::Http10,
            Some(other) => {
                let given = policy::given::text(&String::from_utf8_lossy(other));
                let rule = format!("must be \"1.0\", \"1.1\" or null, {given} given");
                return Err(self.value_error("httpVersion", &rule));
            }
        };
        let decode = self.bool("decode", true)?;
        Ok(Route { proxy, tls: Tls { verify, ca_file, cert, key }, hosts, http_version, decode })
    }

    fn path(&self, name: &str, path: &[u8]) -> Parsed<PathBuf> {
        local_path::absolute(path).map_err(|rule| self.value_error(name, rule))
    }

    fn limit_key(&self) -> Parsed<Option<String>> {
        match self.string("limitKey")? {
            Some(b"") => Err(self.value_error("limitKey", "must not be empty")),
            key => Ok(key.map(limit_key)),
        }
    }
}

/// What is sent as user agent when nothing else is asked for, up to PHP's version.
const USER_AGENT: &str = concat!("retry_client/", env!("CARGO_PKG_VERSION"), " PHP/");

/// A key of any bytes as text; different bytes stay different.
pub fn limit_key(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| bytes.escape_ascii().to_string(), str::to_owned)
}

fn statuses(list: &ZendHashTable) -> Result<StatusSet, Refusal> {
    let mut set = StatusSet::empty();
    for (_, item) in text::entries(list) {
        match (item.long(), item.zend_str()) {
            (Some(status), _) => set.insert(status).map_err(Refusal::Value)?,
            (_, Some(class)) => set.insert_class(class.as_bytes()).map_err(Refusal::Value)?,
            _ => {
                return Err(Refusal::Type(format!(
                    "must have only ints and strings, {} given",
                    type_name(item)
                )));
            }
        }
    }
    Ok(set)
}

fn hosts(array: &ZendHashTable) -> Result<Hosts, Refusal> {
    let mut hosts = Hosts::default();
    for (key, address) in text::entries(array) {
        if let Some(index) = key.long() {
            return Err(Refusal::value(format!("must have host names as keys, {index} given")));
        }
        let Some(address) = address.zend_str() else {
            let given = type_name(address);
            return Err(Refusal::Type(format!("must have only strings as values, {given} given")));
        };
        hosts.insert(text::bytes(&key), address.as_bytes()).map_err(Refusal::Value)?;
    }
    Ok(hosts)
}

// Zend/zend_constants.h
unsafe extern "C" {
    fn zend_get_constant_str(name: *const c_char, length: usize) -> *mut Zval;
}

/// Of the PHP that runs, which may be a later patch release than the one this was built for.
fn php_version() -> &'static [u8] {
    const NAME: &str = "PHP_VERSION";
    // SAFETY: a constant of the engine's own, which lives as long as the process.
    let version = unsafe { zend_get_constant_str(NAME.as_ptr().cast(), NAME.len()).as_ref() };
    version.map_or(&[], text::bytes)
}

/// What the constructor would say to a caller with `strict_types` about a value that only weak mode converts.
pub fn check_strictly(name: &[u8], value: &Zval) -> Parsed<()> {
    let found = DECLARED.iter().enumerate().find(|(_, declared)| declared.name.as_bytes() == name);
    let Some((index, Declared { name, type_, .. })) = found else { return Ok(()) };
    let widened = value.is_long() && type_.without_null() == Type::FLOAT;
    // Callables have the same rules in both modes.
    if type_.admits(value) || widened || *type_ == CALLABLE {
        return Ok(());
    }
    let number = index.saturating_add(1);
    let given = type_name(value);
    Err(throw::type_error(format!(
        "RetryClient::__construct(): Argument #{number} (${name}) must be of type {type_}, {given} given"
    )))
}
