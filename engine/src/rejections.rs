//! Promises that are rejected while nobody listens. They are logged once, after the jobs that could still listen.
use crate::errors;
use rquickjs::{CaughtError, Ctx, Exception, Persistent, Promise, Runtime, Value, qjs};
use std::cell::RefCell;
use std::collections::VecDeque;

/// Kept for one report; further ones are counted.
const MAX_KEPT: usize = 1000;

type Saved = Persistent<Value<'static>>;
struct Global(RefCell<VecDeque<(Saved, Saved)>>);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static OPEN: Global = Global(RefCell::new(VecDeque::new()));

pub fn watch(runtime: &Runtime) {
    runtime.set_host_promise_rejection_tracker(Some(Box::new(
        |ctx, promise, reason, is_handled| {
            if is_handled {
                forget(&ctx, &promise);
            } else if OPEN.0.borrow().len() < MAX_KEPT {
                let saved = (
                    Persistent::save(&ctx, promise),
                    Persistent::save(&ctx, reason),
                );
                OPEN.0.borrow_mut().push_back(saved);
            }
        },
    )));
}

fn forget<'js>(ctx: &Ctx<'js>, promise: &Value<'js>) {
    let is_it = |(saved, _): &(Saved, Saved)| {
        saved
            .clone()
            .restore(ctx)
            .is_ok_and(|saved| saved == *promise)
    };
    // Mostly the newest or, of a list that is awaited in turn, the oldest.
    let found = {
        let open = OPEN.0.borrow();
        match open.front() {
            Some(first) if is_it(first) => Some(0),
            _ => open.iter().rposition(is_it),
        }
    };
    let removed = found.and_then(|at| OPEN.0.borrow_mut().remove(at));
    // Freed without the borrow: it can run JavaScript.
    drop(removed);
}

/// The native part waits for the promise and reports its rejection itself.
pub fn follow<'js>(ctx: &Ctx<'js>, promise: &Promise<'js>) {
    forget(ctx, promise.as_value());
    // SAFETY: a promise of this context, which stays its own.
    unsafe { qjs::JS_PromiseMarkAsHandled(ctx.as_raw().as_ptr(), promise.as_raw()) };
}

/// The rejections since the last report.
fn take<'js>(ctx: &Ctx<'js>) -> Vec<CaughtError<'js>> {
    let open = std::mem::take(&mut *OPEN.0.borrow_mut());
    let reasons = open
        .into_iter()
        .filter_map(|(_, reason)| reason.restore(ctx).ok());
    reasons
        .map(|reason| match Exception::from_value(reason.clone()) {
            Ok(exception) => CaughtError::Exception(exception),
            Err(_) => CaughtError::Value(reason),
        })
        .collect()
}

/// Writes each to the log.
pub fn report(ctx: &Ctx<'_>) {
    if OPEN.0.borrow().is_empty() {
        return;
    }
    for reason in take(ctx) {
        eprintln!("Uncaught (in promise) {}", errors::text(ctx, reason));
    }
}

/// The first, which ends a build.
pub fn first<'js>(ctx: &Ctx<'js>) -> Option<CaughtError<'js>> {
    take(ctx).into_iter().next()
}
