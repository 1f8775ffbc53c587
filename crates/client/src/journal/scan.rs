//! What a journal has when it is opened: where its entries are, and where its last whole line ends.
//!
//! Whatever the length of a line, its body is looked at in passing and not kept.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufRead, BufReader, Read},
};

use serde::{Deserialize, de::IgnoredAny};

use super::{JournalError, Key, Place, line::Record};

const FORMAT: &str = "retry_client journal";
pub(super) const VERSION: u64 = 1;

/// The first line.
pub(super) const HEAD: &[u8] = b"{\"format\":\"retry_client journal\",\"version\":1}\n";

/// The entries, and the length of all whole lines; 0 if not even the first is whole.
pub(super) fn scan(file: &File) -> Result<(HashMap<Key, Place>, u64), JournalError> {
    /// Of the file, read at a time.
    const BUFFER: usize = 64 * 1024;
    let mut from = BufReader::with_capacity(BUFFER, file);
    let mut index = HashMap::new();
    if !has_head(&mut from)? {
        return Ok((index, 0));
    }
    let mut end = HEAD.len() as u64;
    for number in 2_u64.. {
        let mut line = Line { from: &mut from, length: 0, is_whole: false };
        let read = serde_json::from_reader::<_, Record<IgnoredAny>>(BufReader::new(&mut line));
        io::copy(&mut line, &mut io::sink()).map_err(JournalError::io("read"))?;
        let Line { length, is_whole, .. } = line;
        if !is_whole {
            break;
        }
        let entry = read.map_err(|error| match error.column() {
            _ if error.is_io() => JournalError::io("read")(error.into()),
            column => JournalError::Malformed { line: number, column },
        })?;
        index.insert(entry.key, Place { hash: entry.hash, offset: end, length });
        end = end.saturating_add(length).saturating_add(1);
    }
    Ok((index, end))
}

/// Whether the first line is there. Not so in a new file, nor where the first process died at once.
fn has_head(from: &mut impl BufRead) -> Result<bool, JournalError> {
    /// In bytes; that of another version may be longer.
    const LONGEST: u64 = 256;
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u64,
    }
    let mut line = Vec::new();
    from.take(LONGEST).read_until(b'\n', &mut line).map_err(JournalError::io("read"))?;
    if HEAD.starts_with(&line) {
        return Ok(line == HEAD);
    }
    match serde_json::from_slice::<Head>(&line) {
        Ok(Head { format, version }) if format == FORMAT && version != VERSION => {
            Err(JournalError::Version(version))
        }
        _ => Err(JournalError::Foreign),
    }
}

/// What is left of one line, without its break.
struct Line<'a, R> {
    from: &'a mut R,
    length: u64,
    /// Its break was there.
    is_whole: bool,
}

impl<R: BufRead> Read for Line<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_whole {
            return Ok(0);
        }
        let there = self.from.fill_buf()?;
        let reach = there.len().min(buffer.len());
        let length = there.iter().take(reach).position(|byte| *byte == b'\n').unwrap_or(reach);
        if length == 0 && reach > 0 {
            self.is_whole = true;
            self.from.consume(1);
            return Ok(0);
        }
        let read = there.take(length as u64).read(buffer)?;
        self.from.consume(read);
        self.length = self.length.saturating_add(read as u64);
        Ok(read)
    }
}
