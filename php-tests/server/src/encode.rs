//! Compresses a body once, when its script is registered, so that a bomb costs the answer nothing.

use std::io::{self, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use crate::body::Body;
use crate::spec::Encoding;

/// Fast levels: what matters is that a decoder finds a valid stream, not its size.
const BROTLI_QUALITY: u32 = 2;
const BROTLI_WINDOW: u32 = 22;
const BROTLI_BUFFER: usize = 64 * 1024;
const ZSTD_LEVEL: i32 = 3;

impl Encoding {
    /// The Content-Encoding token.
    #[must_use]
    pub fn token(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Br => "br",
            Self::Zstd => "zstd",
            Self::Deflate | Self::DeflateRaw => "deflate",
        }
    }
}

pub fn encode(encoding: Encoding, body: &Body) -> io::Result<Bytes> {
    let pieces = body.pieces(u64::MAX);
    let out = match encoding {
        Encoding::Gzip => {
            let mut to = GzEncoder::new(Vec::new(), Compression::fast());
            feed(&mut to, pieces)?;
            to.finish()?
        }
        Encoding::Deflate => {
            let mut to = ZlibEncoder::new(Vec::new(), Compression::fast());
            feed(&mut to, pieces)?;
            to.finish()?
        }
        Encoding::DeflateRaw => {
            let mut to = DeflateEncoder::new(Vec::new(), Compression::fast());
            feed(&mut to, pieces)?;
            to.finish()?
        }
        Encoding::Br => {
            let mut to =
                brotli::CompressorWriter::new(Vec::new(), BROTLI_BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
            feed(&mut to, pieces)?;
            to.flush()?;
            to.into_inner()
        }
        Encoding::Zstd => {
            let mut to = zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
            feed(&mut to, pieces)?;
            to.finish()?
        }
    };
    Ok(Bytes::from(out))
}

fn feed(to: &mut impl Write, pieces: impl Iterator<Item = Bytes>) -> io::Result<()> {
    for piece in pieces {
        to.write_all(&piece)?;
    }
    Ok(())
}
