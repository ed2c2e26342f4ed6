#!/bin/sh
# rquickjs 0.14.0 (crates.io, with QuickJS-ng 0.16): to ask whether an object is of a Rust class throws an error, and runs JavaScript.
#
# Guess: `Class::from_object` and `Object::instance_of` compare a number. For an object of another class they cost as much as for one
# of the class, and no code of the script runs.
# Seen (30 November 2026): for any other object the answer is right, but on the way to it a TypeError is made, with its message and its
# stack, and forgotten. So `Error.prepareStackTrace`, if the script has set it, is called once for each question. In our engine this
# was a fifth of the time of a `new Response` with headers. `JS_GetOpaque`, with the number of the class, answers without an error.
#
#   of the class: true, stacks made: 0
#   another object, asked ten times: false, stacks made: 10
#
# Needs Rust (cargo) and a C compiler. Ends with 1 if the behaviour is another one.
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "asks"
version = "0.0.0"
edition = "2021"

[dependencies]
rquickjs = { version = "=0.14.0", features = ["macro"] }
TOML
cat > src/main.rs <<'RS'
use rquickjs::{class::Trace, Class, Context, JsLifetime, Object, Runtime};

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
struct Mine {}

fn main() {
    let runtime = Runtime::new().unwrap();
    let context = Context::full(&runtime).unwrap();
    let seen = context.with(|ctx| {
        ctx.eval::<(), _>("globalThis.stacks = 0; Error.prepareStackTrace = () => { stacks++; return '' }").unwrap();
        let stacks = || ctx.globals().get::<_, i32>("stacks").unwrap();
        let mine = Class::instance(ctx.clone(), Mine {}).unwrap();
        let object: Object = mine.into_inner();
        let is = Class::<Mine>::from_object(&object).is_some();
        let first = stacks();
        println!("of the class: {is}, stacks made: {first}");
        let other = Object::new(ctx.clone()).unwrap();
        let is_other = (0..10).any(|_| Class::<Mine>::from_object(&other).is_some());
        let more = stacks() - first;
        println!("another object, asked ten times: {is_other}, stacks made: {more}");
        (is, first, is_other, more)
    });
    std::process::exit(if seen == (true, 0, false, 10) { 0 } else { 1 });
}
RS
cargo run --quiet --release
