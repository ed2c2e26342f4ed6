//! A body that goes to the host: written as far as there is room, and the rest when there is room again.
use crate::reactor::{self, Waiting};
use crate::wit::wasi::{
    http::types::OutgoingBody,
    io::streams::{OutputStream, StreamError},
};
use rquickjs::{Ctx, Exception, JsLifetime, Promise, Result, TypedArray, class::Trace};
use std::cell::RefCell;
use std::rc::Rc;

pub struct Open {
    // Fields are dropped in this order, and the stream must be dropped before its body.
    pub stream: OutputStream,
    body: OutgoingBody,
    /// What was not written yet.
    rest: Vec<u8>,
    written: usize,
}

/// Shared by the writer and by the write that waits.
#[derive(Clone)]
pub struct Outgoing(pub Rc<RefCell<Option<Open>>>);

pub enum Write {
    Done,
    /// There is no room.
    Wait,
    /// The other side has gone.
    Closed,
}

impl Outgoing {
    pub fn new(body: OutgoingBody) -> Self {
        let open = match body.write() {
            Ok(stream) => Some(Open { stream, body, rest: Vec::new(), written: 0 }),
            Err(()) => None,
        };
        Outgoing(Rc::new(RefCell::new(open)))
    }

    /// Takes the bytes, and writes as many as there is room for.
    pub fn write(&self, bytes: Vec<u8>) -> Write {
        match &mut *self.0.borrow_mut() {
            None => return Write::Closed,
            Some(open) => {
                open.rest = bytes;
                open.written = 0;
            }
        }
        self.go_on()
    }

    pub fn go_on(&self) -> Write {
        let mut slot = self.0.borrow_mut();
        let Some(open) = &mut *slot else { return Write::Closed };
        while open.written < open.rest.len() {
            let left = &open.rest[open.written..];
            let room = match open.stream.check_write() {
                Ok(room) => usize::try_from(room).unwrap_or(usize::MAX).min(left.len()),
                Err(StreamError::Closed | StreamError::LastOperationFailed(_)) => return Write::Closed,
            };
            if room == 0 {
                return Write::Wait;
            }
            if open.stream.write(&left[..room]).is_err() {
                return Write::Closed;
            }
            open.written += room;
        }
        Write::Done
    }

    /// Ends the body as complete.
    pub fn finish(&self) {
        if let Some(Open { stream, body, .. }) = self.0.take() {
            drop(stream);
            let _ = OutgoingBody::finish(body, None);
        }
    }

    /// Ends the body as incomplete: the other side sees that the connection is cut.
    pub fn cut(&self) {
        self.0.take();
    }
}

/// For JavaScript that pumps a stream into a body.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct BodyWriter {
    #[qjs(skip_trace)]
    pub outgoing: Outgoing,
}

#[rquickjs::methods]
impl BodyWriter {
    /// Returns a promise only if there is no room, and `false` once the other side has gone.
    fn write<'js>(&self, ctx: Ctx<'js>, chunk: TypedArray<'js, u8>) -> Result<rquickjs::Value<'js>> {
        // SAFETY: copied before any JavaScript runs.
        let bytes = unsafe { chunk.as_bytes() }.map(<[u8]>::to_vec);
        let bytes = bytes.ok_or_else(|| Exception::throw_type(&ctx, "the chunk is detached"))?;
        match self.outgoing.write(bytes) {
            Write::Done => Ok(rquickjs::Value::new_bool(ctx, true)),
            Write::Closed => Ok(rquickjs::Value::new_bool(ctx, false)),
            Write::Wait => {
                let (promise, resolve, reject) = ctx.promise()?;
                let outgoing = self.outgoing.clone();
                reactor::add(&ctx, Waiting::Write { outgoing }, resolve, reject);
                Ok(Promise::into_value(promise))
            }
        }
    }
    fn finish(&self) {
        self.outgoing.finish();
    }
    fn cut(&self) {
        self.outgoing.cut();
    }
}
