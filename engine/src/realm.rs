//! A realm for a program that is not trusted: a runtime of its own, with its own heap, stack, jobs and time.
//!
//! No object crosses: only strings do, in both directions, and no code of one side is ever called by the other in between.
//! So the program cannot reach the functions of the host, the prototypes of the component's own code or what that code
//! knows. A program that has taken over all of its realm can post any string, and that is all.
use crate::{clock, compile, errors, limits, memory};
use rquickjs::{
    CatchResultExt, Context, Ctx, Exception, Function, Object, Persistent, Result, Runtime, Value,
    convert::List, function::IntoArgs, qjs,
};
use std::cell::{Cell, OnceCell, RefCell};

/// Name of the first script in stacks.
const NAME: &str = "realm";
/// Less than `limits::STACK`: the frames of the component that waits for it lie above.
const STACK: usize = limits::STACK - (48 << 10);
/// Bytes a program may post in one turn.
const OUTBOX: usize = 8 << 20;
/// Promises that are rejected while nobody listens, which are kept for the end of the turn.
const MAX_REJECTED: usize = 1000;
/// Jobs between two looks at the clock: a job may be too short for the engine to ask.
const STRIDE: u32 = 64;
/// Bytes of garbage before the first collection of cycles.
const GARBAGE: usize = 4 << 20;

type Saved = Persistent<Value<'static>>;
/// Why nothing of the program goes on, and what it has posted.
type Turn = List<(Option<&'static str>, Vec<String>)>;

struct Realm {
    runtime: Runtime,
    context: Context,
    /// What the script that was given to `open` returned: `run`, `receive` and `rejected`.
    inside: Persistent<Object<'static>>,
}

struct State {
    realm: OnceCell<Realm>,
    outbox: RefCell<Vec<String>>,
    posted: Cell<usize>,
    rejected: RefCell<Vec<(Saved, Saved)>>,
    /// Nanoseconds: what the program may take, has taken, and when its turn began.
    budget: Cell<u64>,
    spent: Cell<u64>,
    since: Cell<u64>,
    /// Why nothing of the program goes on.
    end: Cell<Option<&'static str>>,
}
struct Global(State);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static STATE: Global = Global(State {
    realm: OnceCell::new(),
    outbox: RefCell::new(Vec::new()),
    posted: Cell::new(0),
    rejected: RefCell::new(Vec::new()),
    budget: Cell::new(u64::MAX),
    spent: Cell::new(0),
    since: Cell::new(0),
    end: Cell::new(None),
});

/// Makes the realm, once; at module scope it is part of the snapshot.
///
/// The script must be a function that is called with `post`, and returns an object with `run`, `receive` and `rejected`.
pub fn open(ctx: Ctx<'_>, script: String, max_bytes: f64) -> Result<()> {
    let failed = |text: &str| Exception::throw_message(&ctx, text);
    if STATE.0.realm.get().is_some() {
        return Err(failed("the realm is open already"));
    }
    let runtime = Runtime::new()?;
    runtime.set_max_stack_size(STACK);
    runtime.set_memory_limit(max_bytes as usize);
    runtime.set_interrupt_handler(Some(Box::new(is_over)));
    runtime.set_host_promise_rejection_tracker(Some(Box::new(track)));
    let context = Context::full(&runtime)?;
    let made = context.with(|inner| {
        let made = install(&inner, script).catch(&inner);
        made.map_err(|error| errors::text(&inner, error))
    });
    let inside = made.map_err(|text| failed(&text))?;
    drop(STATE.0.realm.set(Realm { runtime, context, inside }));
    Ok(())
}

fn install(inner: &Ctx<'_>, script: String) -> Result<Persistent<Object<'static>>> {
    let make = compile::script(inner, script, NAME.to_owned(), false)?;
    let make = make.into_function().ok_or_else(|| Exception::throw_type(inner, "the script must be a function"))?;
    let inside: Object = make.call((Function::new(inner.clone(), post)?,))?;
    Ok(Persistent::save(inner, inside))
}

/// Before the snapshot: as `make_immortal` of the first runtime.
pub fn seal() {
    let Some(realm) = STATE.0.realm.get() else { return };
    realm.runtime.run_gc();
    crate::make_immortal(&realm.context);
    realm.runtime.set_gc_threshold(realm.runtime.memory_usage().malloc_size as usize + GARBAGE);
}

/// Milliseconds the program may compute, all of its turns together, and bytes of its heap.
pub fn limit(ctx: Ctx<'_>, compute_ms: f64, max_bytes: f64) -> Result<()> {
    let realm = opened(&ctx)?;
    STATE.0.budget.set((compute_ms * 1e6) as u64);
    realm.runtime.set_memory_limit(max_bytes as usize);
    Ok(())
}

/// What is wrong with the syntax of a source, without running it.
pub fn syntax_error(ctx: Ctx<'_>, source: String, name: String) -> Result<Option<String>> {
    let realm = opened(&ctx)?;
    Ok(realm.context.with(|inner| {
        let outcome = compile::script(&inner, source, name, true).catch(&inner);
        outcome.err().map(|error| errors::text(&inner, error))
    }))
}

/// Evaluates a source, and gives its value to `run` of the realm.
pub fn run(ctx: Ctx<'_>, source: String, name: String) -> Result<Turn> {
    turn(&ctx, |inner, inside| {
        let value = compile::script(inner, source, name, false)?;
        call(inside, "run", (value,))
    })
}

/// Gives a string to `receive` of the realm.
///
/// All turns return why nothing goes on, `time`, `messages` or `failed`, and what was posted.
pub fn deliver(ctx: Ctx<'_>, text: String) -> Result<Turn> {
    turn(&ctx, |_, inside| call(inside, "receive", (text,)))
}

fn opened<'a>(ctx: &Ctx<'_>) -> Result<&'a Realm> {
    STATE.0.realm.get().ok_or_else(|| Exception::throw_message(ctx, "there is no realm: call open first"))
}

fn call<'js, A: IntoArgs<'js>>(inside: &Object<'js>, name: &str, arguments: A) -> Result<()> {
    inside.get::<_, Function>(name)?.call(arguments)
}

/// Runs what is given, and all jobs; then reports rejections that none of them has handled.
fn turn(
    ctx: &Ctx<'_>,
    begin: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> Result<()>,
) -> Result<Turn> {
    let realm = opened(ctx)?;
    let State { outbox, posted, since, spent, end, .. } = &STATE.0;
    if end.get().is_none() {
        since.set(clock::elapsed());
        realm.context.with(|inner| {
            let outcome = realm.inside.clone().restore(&inner).and_then(|inside| {
                begin(&inner, &inside)?;
                drain(&inner);
                for (_, reason) in STATE.0.rejected.take() {
                    let reason = reason.restore(&inner)?;
                    call(&inside, "rejected", (reason,))?;
                }
                Ok(())
            });
            // Its own script throws only when the memory or the stack has come to an end.
            if outcome.catch(&inner).is_err() {
                stop("failed");
            }
        });
        spent.set(spent.get() + (clock::elapsed() - since.get()));
    }
    posted.set(0);
    Ok(List((end.get(), outbox.take())))
}

fn drain(inner: &Ctx<'_>) {
    let mut count = 0;
    // SAFETY: the runtime of this context.
    let runtime = unsafe { qjs::JS_GetRuntime(inner.as_raw().as_ptr()) };
    while STATE.0.end.get().is_none() {
        let mut of = std::ptr::null_mut();
        // SAFETY: as above; the context that it names is this one.
        match unsafe { qjs::JS_ExecutePendingJob(runtime, &mut of) } {
            0 => return,
            1.. => {}
            // A promise catches what is thrown in it: here there was no memory to do so.
            _ => {
                inner.catch();
                stop("failed");
            }
        }
        count += 1;
        if count % STRIDE == 0 && is_over() {
            return;
        }
    }
}

/// The first reason stays.
fn stop(why: &'static str) {
    if STATE.0.end.get().is_none() {
        STATE.0.end.set(Some(why));
    }
}

fn is_over() -> bool {
    let State { budget, spent, since, end, .. } = &STATE.0;
    if end.get().is_none() && spent.get() + (clock::elapsed() - since.get()) > budget.get() {
        stop("time");
    }
    end.get().is_some()
}

/// `post(text)`: what is too much is not kept, and ends the program.
fn post<'js>(ctx: Ctx<'js>, text: rquickjs::String<'js>) -> Result<()> {
    let State { outbox, posted, .. } = &STATE.0;
    let mut length = 0;
    // SAFETY: a string of this context.
    unsafe { qjs::JS_GetLength(ctx.as_raw().as_ptr(), text.as_value().as_raw(), &mut length) };
    let total = posted.get() + length as usize;
    if total > OUTBOX || STATE.0.end.get().is_some() {
        stop("messages");
        return Err(Exception::throw_range(&ctx, "too many messages"));
    }
    // In UTF-8 it may be three times as long.
    memory::check(&ctx, length as usize * 3)?;
    posted.set(total + size_of::<String>());
    outbox.borrow_mut().push(text.to_string()?);
    Ok(())
}

fn track<'js>(inner: Ctx<'js>, promise: Value<'js>, reason: Value<'js>, is_handled: bool) {
    let State { rejected, .. } = &STATE.0;
    if !is_handled {
        if rejected.borrow().len() < MAX_REJECTED {
            let saved = (Persistent::save(&inner, promise), Persistent::save(&inner, reason));
            rejected.borrow_mut().push(saved);
        }
        return;
    }
    let found = rejected.borrow().iter().rposition(|(saved, _)| saved.clone().restore(&inner).is_ok_and(|saved| saved == promise));
    // Freed without the borrow: it can run JavaScript.
    let removed = found.map(|at| rejected.borrow_mut().remove(at));
    drop(removed);
}
