//! A request body that can be sent again: bytes in memory and stretches of files, in order.

use std::{
    collections::VecDeque,
    fs::File,
    io,
    os::unix::fs::FileExt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use tokio::task::coop::poll_proceed;

/// How much of a file is read at a time.
const FILE_CHUNK: u64 = 64 * 1024;

/// Replayable and of known length.
#[derive(Clone, Debug, Default)]
pub struct Body {
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
enum Segment {
    Bytes(Bytes),
    /// Read by position, so the file's own offset is left alone.
    File {
        file: Arc<File>,
        offset: u64,
        len: u64,
    },
}

/// One field of a multipart/form-data body (RFC 7578).
#[derive(Clone, Debug)]
pub struct Part {
    pub name: Vec<u8>,
    pub filename: Option<Vec<u8>>,
    pub content_type: Option<Vec<u8>>,
    pub contents: Body,
}

impl Body {
    #[must_use]
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self { segments: if bytes.is_empty() { Vec::new() } else { vec![Segment::Bytes(bytes)] } }
    }

    /// `len` bytes of `file` from `offset` on.
    #[must_use]
    pub fn file(file: File, offset: u64, len: u64) -> Self {
        Self { segments: vec![Segment::File { file: Arc::new(file), offset, len }] }
    }

    /// A multipart/form-data body and its Content-Type. `boundary` must not occur in the parts.
    #[must_use]
    pub fn multipart(parts: Vec<Part>, boundary: &str) -> (Self, String) {
        let mut segments = Vec::with_capacity(parts.len().saturating_mul(3).saturating_add(1));
        for part in parts {
            segments.push(Segment::Bytes(part_head(&part, boundary).into()));
            segments.extend(part.contents.segments);
            segments.push(Segment::Bytes(Bytes::from_static(b"\r\n")));
        }
        segments.push(Segment::Bytes(format!("--{boundary}--\r\n").into()));
        (Self { segments }, format!("multipart/form-data; boundary={boundary}"))
    }

    #[must_use]
    pub fn len(&self) -> u64 {
        self.segments.iter().fold(0, |sum, segment| sum.saturating_add(segment.len()))
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes, when all of them are in memory already.
    #[must_use]
    pub fn in_memory(&self) -> Option<&Bytes> {
        match self.segments.as_slice() {
            [Segment::Bytes(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// A fresh reading of it, for one send.
    pub(crate) fn to_reqwest(&self) -> Option<reqwest::Body> {
        match self.segments.as_slice() {
            [] => None,
            [Segment::Bytes(bytes)] => Some(reqwest::Body::from(bytes.clone())),
            _ => Some(reqwest::Body::wrap(self.reading())),
        }
    }

    /// Shows all of it, in order.
    ///
    /// # Errors
    /// A file cannot be read.
    pub(crate) fn read(&self, mut show: impl FnMut(&[u8])) -> io::Result<()> {
        let mut reading = self.reading();
        while let Some(chunk) = reading.next_chunk() {
            show(&chunk?);
        }
        Ok(())
    }

    fn reading(&self) -> Reading {
        Reading { left: self.segments.iter().cloned().collect() }
    }
}

impl Segment {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { len, .. } => *len,
        }
    }
}

/// The delimiter and header lines of one part. Quotes and line breaks in names are escaped as in the
/// HTML standard's "multipart/form-data" encoding, which browsers and curl follow.
fn part_head(part: &Part, boundary: &str) -> Vec<u8> {
    let mut head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"").into_bytes();
    push_escaped(&mut head, &part.name);
    head.push(b'"');
    if let Some(filename) = &part.filename {
        head.extend_from_slice(b"; filename=\"");
        push_escaped(&mut head, filename);
        head.push(b'"');
    }
    if let Some(content_type) = &part.content_type {
        head.extend_from_slice(b"\r\nContent-Type: ");
        head.extend_from_slice(content_type);
    }
    head.extend_from_slice(b"\r\n\r\n");
    head
}

fn push_escaped(out: &mut Vec<u8>, name: &[u8]) {
    for byte in name {
        match byte {
            b'"' => out.extend_from_slice(b"%22"),
            b'\r' => out.extend_from_slice(b"%0D"),
            b'\n' => out.extend_from_slice(b"%0A"),
            byte => out.push(*byte),
        }
    }
}

/// One pass over a body's segments.
struct Reading {
    left: VecDeque<Segment>,
}

impl http_body::Body for Reading {
    type Data = Bytes;
    type Error = io::Error;

    /// A file always has something to read: no more of it than the event loop grants at a time, or a server that
    /// takes it as fast would keep the deadline from its turn.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        ready!(poll_proceed(cx)).made_progress();
        Poll::Ready(self.next_chunk().map(|chunk| chunk.map(Frame::data)))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.iter().map(Segment::len).sum())
    }
}

impl Reading {
    /// Files are read here, on the event loop's thread: a local read is no wait worth a thread.
    fn next_chunk(&mut self) -> Option<io::Result<Bytes>> {
        loop {
            match self.left.pop_front()? {
                Segment::Bytes(bytes) => return Some(Ok(bytes)),
                Segment::File { len: 0, .. } => {}
                Segment::File { file, offset, len } => {
                    let mut chunk = vec![0; len.min(FILE_CHUNK) as usize];
                    let read = match file.read_at(&mut chunk, offset) {
                        Ok(0) => Err(io::Error::new(
                            io::ErrorKind::UnexpectedEof,
                            "the file became shorter while it was read",
                        )),
                        other => other,
                    };
                    let read = match read {
                        Ok(read) => read,
                        Err(error) => return Some(Err(error)),
                    };
                    chunk.truncate(read);
                    let read = read as u64;
                    self.left.push_front(Segment::File { file, offset: offset + read, len: len - read });
                    return Some(Ok(chunk.into()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read(body: &Body) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        body.read(|stretch| all.extend_from_slice(stretch))?;
        Ok(all)
    }

    fn temporary(contents: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(contents).unwrap();
        file
    }

    #[test]
    fn a_file_is_read_from_its_offset_and_again() {
        let body = Body::file(temporary(&[7; 200_000]), 1, 199_998);
        assert_eq!(body.len(), 199_998);
        assert_eq!(read(&body).unwrap(), vec![7; 199_998]);
        assert_eq!(read(&body).unwrap(), vec![7; 199_998]);
    }

    #[test]
    fn a_file_that_became_shorter_is_an_error() {
        let body = Body::file(temporary(b"abc"), 0, 4);
        assert_eq!(read(&body).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn multipart_has_the_form_of_rfc_7578_and_a_known_length() {
        let parts = vec![
            Part {
                name: b"a\"\r\n".to_vec(),
                filename: None,
                content_type: None,
                contents: Body::bytes("1"),
            },
            Part {
                name: b"f".to_vec(),
                filename: Some(b"x.txt".to_vec()),
                content_type: Some(b"text/plain".to_vec()),
                contents: Body::file(temporary(b"file"), 0, 4),
            },
        ];
        let (body, content_type) = Body::multipart(parts, "B");
        let expected = "--B\r\nContent-Disposition: form-data; name=\"a%22%0D%0A\"\r\n\r\n1\r\n\
            --B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\n\
            Content-Type: text/plain\r\n\r\nfile\r\n--B--\r\n";
        assert_eq!(String::from_utf8(read(&body).unwrap()).unwrap(), expected);
        assert_eq!(body.len(), expected.len() as u64);
        assert_eq!(content_type, "multipart/form-data; boundary=B");
    }
}
