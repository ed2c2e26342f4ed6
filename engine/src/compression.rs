//! What `CompressionStream` and `DecompressionStream` are made of: one codec, fed a piece at a time.
//!
//! https://compression.spec.whatwg.org
mod inflate;

use crate::bytes::{new_array, place};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use inflate::Inflate;
use rquickjs::{Class, Ctx, Exception, JsLifetime, Result, Value, class::Trace};
use std::cell::RefCell;
use std::io::{Error, ErrorKind, Write};

/// Bytes of input between two looks at the output: they become 1 MiB at most.
const STEP: usize = 1 << 10;
/// Bytes of output that `push` stops at, so that what a small input expands to is on the JavaScript heap, whose limit is an
/// error that can be caught.
const ENOUGH: usize = 64 << 10;

enum Kind {
    Gzip(GzEncoder<Vec<u8>>),
    Zlib(ZlibEncoder<Vec<u8>>),
    Raw(DeflateEncoder<Vec<u8>>),
    Inflate(Inflate),
}

impl Kind {
    fn named(format: &str, decodes: bool) -> Option<Kind> {
        let level = Compression::default();
        Some(match (format, decodes) {
            ("gzip", false) => Kind::Gzip(GzEncoder::new(Vec::new(), level)),
            ("gzip", true) => Kind::Inflate(Inflate::gzip()),
            ("deflate", false) => Kind::Zlib(ZlibEncoder::new(Vec::new(), level)),
            ("deflate", true) => Kind::Inflate(Inflate::deflate(true)),
            ("deflate-raw", false) => Kind::Raw(DeflateEncoder::new(Vec::new(), level)),
            ("deflate-raw", true) => Kind::Inflate(Inflate::deflate(false)),
            _ => return None,
        })
    }

    fn write(&mut self, input: &[u8]) -> std::io::Result<()> {
        match self {
            Kind::Gzip(codec) => codec.write_all(input),
            Kind::Zlib(codec) => codec.write_all(input),
            Kind::Raw(codec) => codec.write_all(input),
            Kind::Inflate(codec) => codec.write(input),
        }
    }

    fn finish(&mut self) -> std::io::Result<()> {
        match self {
            Kind::Gzip(codec) => codec.try_finish(),
            Kind::Zlib(codec) => codec.try_finish(),
            Kind::Raw(codec) => codec.try_finish(),
            Kind::Inflate(codec) => codec.finish(),
        }
    }

    fn output(&mut self) -> &mut Vec<u8> {
        match self {
            Kind::Gzip(codec) => codec.get_mut(),
            Kind::Zlib(codec) => codec.get_mut(),
            Kind::Raw(codec) => codec.get_mut(),
            Kind::Inflate(codec) => &mut codec.output,
        }
    }
}

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct Codec {
    #[qjs(skip_trace)]
    kind: RefCell<Kind>,
}

fn wrong(ctx: &Ctx<'_>, error: Error) -> rquickjs::Error {
    let what = match error.kind() {
        ErrorKind::UnexpectedEof => "The compressed data is not complete".into(),
        ErrorKind::WriteZero => "There are bytes after the end of the compressed data".into(),
        _ => format!("The compressed data is not valid: {error}"),
    };
    Exception::throw_type(ctx, &what)
}

#[rquickjs::methods]
impl Codec {
    #[qjs(constructor)]
    pub fn new(ctx: Ctx<'_>, format: String, decodes: bool) -> Result<Self> {
        let kind = Kind::named(&format, decodes).ok_or_else(|| {
            let known = "gzip, deflate and deflate-raw";
            Exception::throw_type(&ctx, &format!("There is no format {format:?}; there are {known}"))
        })?;
        Ok(Codec { kind: RefCell::new(kind) })
    }

    /// Feeds bytes from a position on, until there is enough output. Returns the position that it came to.
    pub fn push<'js>(&self, ctx: Ctx<'js>, bytes: Value<'js>, from: usize) -> Result<usize> {
        let mut kind = self.kind.borrow_mut();
        // SAFETY: no JavaScript runs until this function returns.
        let input = place(&bytes).map_or(&[][..], |place| unsafe { place.bytes() });
        let mut at = from.min(input.len());
        while at < input.len() && kind.output().len() < ENOUGH {
            let end = input.len().min(at + STEP);
            kind.write(&input[at..end]).map_err(|error| wrong(&ctx, error))?;
            at = end;
        }
        Ok(at)
    }

    /// The input ends.
    pub fn finish(&self, ctx: Ctx<'_>) -> Result<()> {
        self.kind.borrow_mut().finish().map_err(|error| wrong(&ctx, error))
    }

    /// The output so far; `undefined` when there is none.
    pub fn take<'js>(&self, ctx: Ctx<'js>) -> Result<Option<Value<'js>>> {
        let mut kind = self.kind.borrow_mut();
        let output = kind.output();
        if output.is_empty() {
            return Ok(None);
        }
        let array = new_array(&ctx, output)?;
        output.clear();
        Ok(Some(array))
    }
}

/// The class, which no global names.
pub fn native<'js>(ctx: &Ctx<'js>) -> Result<Option<rquickjs::function::Constructor<'js>>> {
    Class::<Codec>::create_constructor(ctx)
}
