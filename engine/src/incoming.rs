//! A body that comes from the host, read when something asks for it.
use crate::convert::Kind;
use crate::memory;
use crate::wit::wasi::{
    http::types::IncomingBody,
    io::streams::{InputStream, StreamError},
};
use rquickjs::{Ctx, Exception, Persistent, Result, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// Bytes asked for in one read.
const READ_SIZE: u64 = 64 << 10;

pub struct HostBody {
    // Fields are dropped in this order, and the stream must be dropped before its body.
    pub stream: InputStream,
    _body: IncomingBody,
}

pub enum State {
    Open(HostBody),
    Ended,
    /// Aborted: every read rejects with the reason.
    Aborted(Persistent<Value<'static>>),
}

/// Shared by a message and by the reads that wait for it.
#[derive(Clone)]
pub struct Incoming(pub Rc<RefCell<State>>);

pub enum Read {
    Part(Vec<u8>),
    /// Nothing is there yet.
    Wait,
    End,
}

impl Incoming {
    pub fn new(body: IncomingBody) -> Self {
        let state = match body.stream() {
            Ok(stream) => State::Open(HostBody { stream, _body: body }),
            Err(()) => State::Ended,
        };
        Incoming(Rc::new(RefCell::new(state)))
    }

    pub fn close(&self) {
        self.0.replace(State::Ended);
    }

    pub fn abort<'js>(&self, ctx: &Ctx<'js>, reason: Value<'js>) {
        let reason = Persistent::save(ctx, reason);
        let before = self.0.replace(State::Aborted(reason));
        if matches!(before, State::Ended) {
            self.0.replace(before);
        }
    }

    /// Reads what is there.
    ///
    /// Throws a TypeError when the connection failed, and the reason of an abort.
    pub fn read(&self, ctx: &Ctx<'_>) -> Result<Read> {
        // The host's answer is put into memory that the guest must have.
        memory::check(ctx, READ_SIZE as usize)?;
        let mut state = self.0.borrow_mut();
        let outcome = match &*state {
            State::Ended => return Ok(Read::End),
            State::Aborted(reason) => {
                let reason = reason.clone();
                drop(state);
                return Err(ctx.throw(reason.restore(ctx)?));
            }
            State::Open(body) => body.stream.read(READ_SIZE),
        };
        match outcome {
            Ok(part) if part.is_empty() => Ok(Read::Wait),
            Ok(part) => Ok(Read::Part(part)),
            Err(StreamError::Closed) => {
                *state = State::Ended;
                Ok(Read::End)
            }
            Err(StreamError::LastOperationFailed(error)) => {
                let text = error.to_debug_string();
                drop(error);
                *state = State::Ended;
                drop(state);
                Err(Exception::throw_type(ctx, &format!("the body ended early: {text}")))
            }
        }
    }
}

/// A read of the whole body that waits for more.
pub struct Collected {
    pub bytes: Vec<u8>,
    pub kind: Kind,
    pub bounds: Bounds,
}

/// How much of a body is read.
#[derive(Clone, Copy)]
pub struct Bounds {
    /// Bytes after which the rest is refused.
    pub limit: usize,
    /// Bytes after which the end is not waited for: `content-length`.
    pub announced: usize,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { limit: usize::MAX, announced: usize::MAX };
}

pub enum Progress {
    Wait,
    Complete,
    /// Longer than the limit. The rest is not read.
    TooLong,
}

impl Collected {
    pub fn read(&mut self, ctx: &Ctx<'_>, incoming: &Incoming) -> Result<Progress> {
        loop {
            match incoming.read(ctx)? {
                Read::Part(part) if self.bytes.is_empty() => self.bytes = part,
                Read::Part(part) => memory::extend(ctx, &mut self.bytes, &part)?,
                Read::Wait => return Ok(Progress::Wait),
                Read::End => return Ok(Progress::Complete),
            }
            if self.bytes.len() > self.bounds.limit {
                self.bytes = Vec::new();
                incoming.close();
                return Ok(Progress::TooLong);
            }
            if self.bytes.len() == self.bounds.announced {
                return Ok(Progress::Complete);
            }
        }
    }
}
