//! Turns a step as written into a step to play, or says what is wrong with it.

use std::time::Duration;

use bytes::Bytes;

use crate::body::Body;
use crate::encode::encode;
use crate::spec::{
    Action, BombSpec, DripSpec, HeaderSpec, HeaderText, InformationalSpec, LengthSpec, ReadBodySpec, StepSpec,
};
use crate::step::{Bomb, Drip, Header, Informational, Length, ReadBody, Step};
use crate::template::has_placeholder;
use crate::text::{error_code, from_base64, latin1};

pub fn compile(spec: StepSpec) -> Result<Step, String> {
    let ms = |value: Option<u64>| value.map(Duration::from_millis);
    let (body, body_headers) = body_of(&spec)?;
    Ok(Step {
        status: status(&spec)?,
        headers: head(&spec, body_headers)?,
        body,
        chunks: spec.chunks.map(|list| list.into_iter().map(Bytes::from).collect()),
        action: spec.action,
        times: spec.times.unwrap_or(1).max(1),
        read_body: read_body(spec.read_body),
        read_delay: ms(spec.read_delay_ms),
        delay: ms(spec.delay_ms),
        body_delay: ms(spec.body_delay_ms),
        hold: spec.hold,
        informational: spec.informational.into_iter().map(informational).collect::<Result<_, _>>()?,
        reason: spec.reason.as_deref().map(latin1).transpose()?,
        http10: is_http10(spec.version.as_deref())?,
        bomb: spec.header_bomb.map(bomb),
        template: spec.template,
        length: length(spec.content_length),
        chunked: spec.chunked,
        chunk_size: spec.chunk_size,
        chunk_fault: spec.chunk_fault,
        trailers: headers_of(&spec.trailers)?,
        drip: drip(spec.action, spec.drip)?,
        send_bytes: spec.send_bytes,
        end: spec.end,
        close: spec.close,
        close_idle_after: ms(spec.close_idle_after_ms),
        close_on_next: spec.close_on_next,
        raw: raw(spec.action, spec.raw.as_deref(), spec.raw_base64.as_deref())?,
        goaway: spec.goaway,
        last_stream: spec.last_stream,
        error_code: spec.error_code.map(error_code).transpose()?,
    })
}

fn status(spec: &StepSpec) -> Result<u16, String> {
    match spec.status {
        None if spec.action == Action::Redirect => Ok(302),
        None => Ok(200),
        Some(status) if (100..=999).contains(&status) => Ok(status),
        Some(status) => Err(format!("status {status} has not three digits: use \"raw\" for that")),
    }
}

/// The author's headers, those that follow from the body where he gave none, and Location.
fn head(spec: &StepSpec, from_body: Vec<Header>) -> Result<Vec<Header>, String> {
    let mut headers = headers_of(&spec.headers)?;
    for header in from_body {
        if !headers.iter().any(|h| h.name.eq_ignore_ascii_case(&header.name)) {
            headers.push(header);
        }
    }
    match &spec.location {
        Some(location) => headers.push(header("Location", &HeaderText::Text(location.clone()))?),
        None if spec.action == Action::Redirect => return Err("\"redirect\" needs \"location\"".into()),
        None => {}
    }
    Ok(headers)
}

fn read_body(spec: Option<ReadBodySpec>) -> ReadBody {
    match spec {
        None | Some(ReadBodySpec::Switch(true)) => ReadBody::All,
        Some(ReadBodySpec::Switch(false)) => ReadBody::UpTo(0),
        Some(ReadBodySpec::UpTo(n)) => ReadBody::UpTo(n),
    }
}

fn length(spec: Option<LengthSpec>) -> Length {
    match spec {
        None | Some(LengthSpec::Switch(true)) => Length::True,
        Some(LengthSpec::Switch(false)) => Length::Unsaid,
        Some(LengthSpec::Claimed(n)) => Length::Claimed(n),
    }
}

fn is_http10(version: Option<&str>) -> Result<bool, String> {
    match version {
        None | Some("1.1") => Ok(false),
        Some("1.0") => Ok(true),
        Some(other) => Err(format!("version {other:?} is neither \"1.0\" nor \"1.1\"")),
    }
}

fn bomb(spec: BombSpec) -> Bomb {
    Bomb {
        count: if spec.endless { u64::MAX } else { spec.count.unwrap_or(1000) },
        size: spec.size.unwrap_or(100),
    }
}

fn drip(action: Action, spec: Option<DripSpec>) -> Result<Option<Drip>, String> {
    match spec {
        None if action == Action::Drip => Err("\"drip\" needs \"drip\": {\"bytes\", \"every_ms\"}".into()),
        None => Ok(None),
        Some(d) => Ok(Some(Drip {
            bytes: d.bytes.unwrap_or(1).max(1),
            every: Duration::from_millis(d.every_ms),
            head: d.head,
        })),
    }
}

fn raw(action: Action, text: Option<&str>, encoded: Option<&str>) -> Result<Bytes, String> {
    match (text, encoded) {
        (Some(text), None) => latin1(text),
        (None, Some(encoded)) => from_base64(encoded),
        (Some(_), Some(_)) => Err("\"raw\" and \"raw_base64\" exclude each other".into()),
        (None, None) if action == Action::Raw => Err("\"raw\" needs \"raw\" or \"raw_base64\"".into()),
        (None, None) => Ok(Bytes::new()),
    }
}

/// The body and the headers that follow from how it was given.
fn body_of(spec: &StepSpec) -> Result<(Body, Vec<Header>), String> {
    let given = [
        spec.body.is_some(),
        spec.body_base64.is_some(),
        spec.body_json.is_some(),
        spec.body_repeat.is_some(),
        spec.chunks.is_some(),
    ];
    if given.iter().filter(|g| **g).count() > 1 {
        return Err("only one of body, body_base64, body_json, body_repeat, chunks".into());
    }
    let mut headers = Vec::new();
    let mut body = Body::default();
    if let Some(text) = &spec.body {
        body = Body::Whole(Bytes::from(text.clone()));
    } else if let Some(encoded) = &spec.body_base64 {
        body = Body::Whole(from_base64(encoded)?);
    } else if let Some(json) = &spec.body_json {
        headers.push(Header::new("Content-Type", "application/json"));
        body = Body::Whole(Bytes::from(json.to_string()));
    } else if let Some((unit, count)) = &spec.body_repeat {
        body = Body::repeat(unit.as_bytes(), (unit.len() as u64).saturating_mul(*count));
    } else if let Some(chunks) = &spec.chunks {
        body = Body::Whole(Bytes::from(chunks.concat()));
    } else if spec.action == Action::Endless {
        body = Body::repeat(b"x", u64::MAX);
    }
    if spec.action == Action::Endless
        && let Some(unit) = body.pieces(u64::MAX).next()
    {
        body = Body::repeat(&unit, u64::MAX);
    }
    if let Some(encoding) = spec.encoding {
        if spec.template || spec.chunks.is_some() || spec.action == Action::Endless {
            return Err("encoding goes neither with template, nor chunks, nor endless".into());
        }
        body = Body::Whole(encode(encoding, &body).map_err(|e| format!("encoding: {e}"))?);
        if spec.encoding_header != Some(false) {
            headers.push(Header::new("Content-Encoding", encoding.token()));
        }
    }
    if let Some(to) = spec.truncate {
        let to = if to < 0 { body.len().saturating_sub(to.unsigned_abs()) } else { to.unsigned_abs() };
        body = body.cut(to);
    }
    Ok((body, headers))
}

fn informational(spec: InformationalSpec) -> Result<Informational, String> {
    let (status, headers) = match spec {
        InformationalSpec::Status(status) => (status, Vec::new()),
        InformationalSpec::Full { status, headers } => (status, headers_of(&headers)?),
    };
    if (100..200).contains(&status) {
        Ok(Informational { status, headers })
    } else {
        Err(format!("informational status {status} is not 1xx"))
    }
}

fn headers_of(specs: &[HeaderSpec]) -> Result<Vec<Header>, String> {
    specs.iter().map(|(name, value)| header(name, value)).collect()
}

fn header(name: &str, value: &HeaderText) -> Result<Header, String> {
    let value = match value {
        HeaderText::Text(text) => latin1(text)?,
        HeaderText::Number(n) => Bytes::from(n.to_string()),
        HeaderText::Bytes { base64 } => from_base64(base64)?,
    };
    let template = has_placeholder(&value);
    Ok(Header { name: latin1(name)?, value, template })
}
