//! Decompression that holds no output back: what a chunk contains is there before the next one comes.
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{Error, ErrorKind, Result};

/// Bytes of output that there is room for in one step.
const ROOM: usize = 64 << 10;
/// A longer header of gzip has a name or a comment that no program writes.
const MOST_HEADER: usize = 128 << 10;
const TRAILER: usize = 8;

pub struct Inflate {
    state: Decompress,
    pub output: Vec<u8>,
    has_ended: bool,
    gzip: Option<Box<Gzip>>,
}

struct Gzip {
    header: Vec<u8>,
    is_in_body: bool,
    crc: Crc,
    trailer: Vec<u8>,
}

fn invalid(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, what)
}

/// The length of a whole header of gzip; `None` when more bytes are needed.
///
/// https://www.rfc-editor.org/rfc/rfc1952#page-5
fn header_length(bytes: &[u8]) -> Result<Option<usize>> {
    const START: [u8; 3] = [0x1f, 0x8b, 8];
    if !START.iter().zip(bytes).all(|(wanted, byte)| wanted == byte) {
        return Err(invalid("the header is not one of gzip"));
    }
    let Some(&flags) = bytes.get(3) else { return Ok(None) };
    if flags & 0xe0 != 0 {
        return Err(invalid("the header has unknown flags"));
    }
    let mut at = 10;
    if flags & 4 != 0 {
        let Some(&[low, high]) = bytes.get(at..at + 2) else { return Ok(None) };
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let Some(end) = bytes.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == 0)) else {
                return Ok(None);
            };
            at += end + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    Ok((bytes.len() >= at).then_some(at))
}

impl Gzip {
    /// Takes what belongs to the header. Returns the rest.
    fn read_header<'a>(&mut self, input: &'a [u8]) -> Result<&'a [u8]> {
        let known = self.header.len();
        self.header.extend_from_slice(input);
        match header_length(&self.header)? {
            None if self.header.len() > MOST_HEADER => Err(invalid("the header is too long")),
            None => Ok(&[]),
            Some(length) => {
                self.header = Vec::new();
                self.is_in_body = true;
                // The header was not complete before.
                Ok(&input[length - known..])
            }
        }
    }

    /// Takes what belongs to the trailer. Returns the rest.
    fn read_trailer<'a>(&mut self, input: &'a [u8]) -> Result<&'a [u8]> {
        let count = input.len().min(TRAILER - self.trailer.len());
        self.trailer.extend_from_slice(&input[..count]);
        if self.trailer.len() == TRAILER {
            let word = |at: usize| self.trailer[at..at + 4].iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
            if (word(0), word(4)) != (self.crc.sum(), self.crc.amount()) {
                return Err(invalid("the checksum differs"));
            }
        }
        Ok(&input[count..])
    }
}

impl Inflate {
    pub fn deflate(has_header: bool) -> Self {
        Inflate { state: Decompress::new(has_header), output: Vec::new(), has_ended: false, gzip: None }
    }

    pub fn gzip() -> Self {
        let gzip = Gzip { header: Vec::new(), is_in_body: false, crc: Crc::new(), trailer: Vec::new() };
        Inflate { gzip: Some(Box::new(gzip)), ..Self::deflate(false) }
    }

    pub fn write(&mut self, mut input: &[u8]) -> Result<()> {
        if let Some(gzip) = &mut self.gzip
            && !gzip.is_in_body
        {
            input = gzip.read_header(input)?;
            if !gzip.is_in_body {
                return Ok(());
            }
        }
        if !self.has_ended {
            input = self.read_body(input)?;
        }
        if self.has_ended
            && let Some(gzip) = &mut self.gzip
        {
            input = gzip.read_trailer(input)?;
        }
        match input {
            [] => Ok(()),
            _ => Err(Error::new(ErrorKind::WriteZero, "there are bytes after the end")),
        }
    }

    /// Goes on without input as long as there is output. Returns what comes after the end.
    fn read_body<'a>(&mut self, mut input: &'a [u8]) -> Result<&'a [u8]> {
        while !self.has_ended {
            self.output.reserve(ROOM);
            let (read, known) = (self.state.total_in(), self.output.len());
            let status = self.state.decompress_vec(input, &mut self.output, FlushDecompress::None)?;
            self.has_ended = status == Status::StreamEnd;
            let taken = (self.state.total_in() - read) as usize;
            input = &input[taken..];
            if let Some(gzip) = &mut self.gzip {
                gzip.crc.update(&self.output[known..]);
            }
            if taken == 0 && self.output.len() == known {
                break;
            }
        }
        Ok(input)
    }

    pub fn finish(&self) -> Result<()> {
        let is_complete = self.gzip.as_ref().is_none_or(|gzip| gzip.trailer.len() == TRAILER);
        match self.has_ended && is_complete {
            true => Ok(()),
            false => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}
