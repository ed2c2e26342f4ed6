import { parse } from '@bytecodealliance/jco-transpile/wasm-tools'
import { expect, test } from 'vitest'
import { instantiateComponent, request } from '../../../test/hostile/support/run-component.ts'

// The guests speak by asking for variables: what they ask for is what a test sees.
const IMPORTS = `
  (import "wasi:http/types@0.2.6" (instance $http
    (export "incoming-request" (type (sub resource)))
    (export "response-outparam" (type (sub resource)))))
  (alias export $http "incoming-request" (type $request))
  (alias export $http "response-outparam" (type $outparam))
  (import "wasi:io/poll@0.2.6" (instance $poll
    (export "pollable" (type $p (sub resource)))
    (export "[method]pollable.block" (func (param "self" (borrow $p))))))
  (alias export $poll "pollable" (type $pollable))
  (import "wasi:clocks/monotonic-clock@0.2.6" (instance $clock
    (alias outer 1 $pollable (type $p))
    (export "pollable" (type $q (eq $p)))
    (export "subscribe-duration" (func (param "when" u64) (result (own $q))))))
  (import "fermyon:spin/variables@2.0.0" (instance $variables
    (export "get" (func (param "name" string) (result (result string (error string)))))))`

const ALLOCATOR = `
  (memory (export "memory") 1)
  (global $next (mut i32) (i32.const 4096))
  (func (export "realloc") (param i32 i32 i32 i32) (result i32)
    (global.set $next (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
    (global.get $next)
    (global.set $next (i32.add (global.get $next) (local.get 3))))`

const SAY = `
  (core module $memory ${ALLOCATOR})
  (core instance $shared (instantiate $memory))
  (core func $say (canon lower (func $say-it)
    (memory (core memory $shared "memory")) (realloc (core func $shared "realloc"))))
  (core instance $own (export "say" (func $say)) (export "memory" (memory $shared "memory")))`
const IMPORT_SAY = `(import "say" (func $say-it (param "name" string) (result (result string (error string)))))`
const SAY_IN_CORE = `
  (import "own" "say" (func $say (param i32 i32 i32)))
  (import "own" "memory" (memory 1))`

/** A composition: `provider` exports what `consumer`, whose core module exports `handle`, imports. */
const composed = (provider: string, consumer: string, link: string) => `(component
  ${IMPORTS}
  (alias export $variables "get" (func $get))
  (component $provider ${provider})
  (component $consumer
    (import "request" (type $request (sub resource)))
    (import "outparam" (type $outparam (sub resource)))
    ${consumer}
    (func (export "handle") (param "a" (own $request)) (param "b" (own $outparam))
      (canon lift (core func $core "handle"))))
  ${link}
  (instance $handler (export "handle" (func $c "handle")))
  (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`

async function run(wat: string) {
  const said: string[] = []
  const variable = (name: string) => {
    said.push(name)
    return ''
  }
  const instance = await instantiateComponent(await parse(wat), { variable })
  const { failure } = await request(instance)
  return { said, failure }
}

const GREET = `(param "name" string) (result string)`

const greeting = (body: string) => `
  (import "duration" (func $duration (param "when" u64) (result u32)))
  (import "block" (func $block (param "self" u32)))
  (core func $wait-for (canon lower (func $duration)))
  (core func $wait (canon lower (func $block)))
  (core module $m
    (import "own" "in" (func $in (param i64) (result i32)))
    (import "own" "block" (func $block (param i32)))
    ${ALLOCATOR}
    (data (i32.const 0) "hello ")
    (func (export "greet") (param $at i32) (param $size i32) (result i32) ${body})
    ;; What was handed over may be used again.
    (func (export "release") (param $result i32)
      (memory.fill (i32.const 100) (i32.const 63) (i32.const 50))))
  (core instance $own (export "in" (func $wait-for)) (export "block" (func $wait)))
  (core instance $core (instantiate $m (with "own" (instance $own))))
  (func (export "greet") ${GREET} (canon lift (core func $core "greet")
    (memory (core memory $core "memory")) (realloc (core func $core "realloc")) (post-return (core func $core "release"))))`

const asksToGreet = `
  (import "greet" (func $greet ${GREET}))
  ${IMPORT_SAY}
  ${SAY}
  (core func $greet-it (canon lower (func $greet)
    (memory (core memory $shared "memory")) (realloc (core func $shared "realloc"))))
  (core instance $provided (export "greet" (func $greet-it)))
  (core module $m
    (import "provided" "greet" (func $greet (param i32 i32 i32)))
    ${SAY_IN_CORE}
    (data (i32.const 16) "wörld")
    (func (export "handle") (param i32 i32)
      (call $greet (i32.const 16) (i32.const 6) (i32.const 64))
      (call $say (i32.load (i32.const 64)) (i32.load (i32.const 68)) (i32.const 128))))
  (core instance $core
    (instantiate $m (with "own" (instance $own)) (with "provided" (instance $provided))))`

const linkGreeting = `
  (alias export $clock "subscribe-duration" (func $duration))
  (alias export $poll "[method]pollable.block" (func $block))
  (instance $p (instantiate $provider (with "duration" (func $duration)) (with "block" (func $block))))
  (instance $c (instantiate $consumer (with "greet" (func $p "greet")) (with "say" (func $get))
    (with "request" (type $request)) (with "outparam" (type $outparam))))`

const GREETING = `
  (memory.copy (i32.const 100) (i32.const 0) (i32.const 6))
  (memory.copy (i32.const 106) (local.get $at) (local.get $size))
  (i32.store (i32.const 200) (i32.const 100))
  (i32.store (i32.const 204) (i32.add (local.get $size) (i32.const 6)))
  (i32.const 200)`

test('a string goes from one component to another and comes back as another', async () => {
  const { said, failure } = await run(composed(greeting(GREETING), asksToGreet, linkGreeting))
  expect(failure).toBeUndefined()
  expect(said).toEqual(['hello wörld'])
})

test('the component that is called may wait', async () => {
  const waiting = `(call $block (call $in (i64.const 30000000))) ${GREETING}`
  const started = performance.now()
  const { said } = await run(composed(greeting(waiting), asksToGreet, linkGreeting))
  expect(said).toEqual(['hello wörld'])
  expect(performance.now() - started).toBeGreaterThan(29)
})

test('a trap in the component that is called ends the request', async () => {
  const { said, failure } = await run(
    composed(greeting('(unreachable)'), asksToGreet, linkGreeting),
  )
  expect(failure).toMatch(/unreachable/)
  expect(said).toEqual([])
})

test('an answer outside the memory of who gave it ends the request', async () => {
  const bad = `(i32.store (i32.const 200) (i32.const 65000))
    (i32.store (i32.const 204) (i32.const 1000)) (i32.const 200)`
  const { failure } = await run(composed(greeting(bad), asksToGreet, linkGreeting))
  expect(failure).toMatch(/out of bounds/)
})

const counting = `
  ${IMPORT_SAY}
  ${SAY}
  (core module $m
    ${SAY_IN_CORE}
    (data (i32.const 16) "dropped ?")
    (func (export "drop") (param $rep i32)
      (i32.store8 (i32.const 24) (local.get $rep))
      (call $say (i32.const 16) (i32.const 9) (i32.const 128)))
    (func (export "same") (param $rep i32) (param $other i32) (result i32)
      (i32.add (i32.mul (local.get $rep) (i32.const 100)) (local.get $other))))
  (core instance $core (instantiate $m (with "own" (instance $own))))
  (type $counter' (resource (rep i32) (dtor (core func $core "drop"))))
  (export $counter "counter" (type $counter'))
  (core func $new (canon resource.new $counter'))
  (func (export "make") (param "start" u32) (result (own $counter)) (canon lift (core func $new)))
  (func (export "mix") (param "a" (borrow $counter)) (param "b" (borrow $counter)) (result u32)
    (canon lift (core func $core "same")))`

const usesCounters = (body: string) => `
  (import "counter" (type $counter (sub resource)))
  (import "make" (func $make (param "start" u32) (result (own $counter))))
  (import "mix" (func $mix (param "a" (borrow $counter)) (param "b" (borrow $counter)) (result u32)))
  ${IMPORT_SAY}
  ${SAY}
  (core func $make-it (canon lower (func $make)))
  (core func $mix-it (canon lower (func $mix)))
  (core func $drop-it (canon resource.drop $counter))
  (core instance $provided (export "make" (func $make-it)) (export "mix" (func $mix-it))
    (export "drop" (func $drop-it)))
  (core module $m
    (import "provided" "make" (func $make (param i32) (result i32)))
    (import "provided" "mix" (func $mix (param i32 i32) (result i32)))
    (import "provided" "drop" (func $drop (param i32)))
    ${SAY_IN_CORE}
    (data (i32.const 16) "equal")
    (func (export "handle") (param i32 i32) (local $a i32) (local $b i32)
      (local.set $a (call $make (i32.const 65)))
      (local.set $b (call $make (i32.const 66)))
      ${body}))
  (core instance $core
    (instantiate $m (with "own" (instance $own)) (with "provided" (instance $provided))))`

const linkCounters = `
  (instance $p (instantiate $provider (with "say" (func $get))))
  (instance $c (instantiate $consumer (with "counter" (type $p "counter"))
    (with "make" (func $p "make")) (with "mix" (func $p "mix")) (with "say" (func $get))
    (with "request" (type $request)) (with "outparam" (type $outparam))))`

test('the component that defines a resource sees what its handles stand for, and its destructor runs at a drop', async () => {
  const { said, failure } = await run(
    composed(
      counting,
      usesCounters(`
        (if (i32.eq (call $mix (local.get $a) (local.get $b)) (i32.const 6566))
          (then (call $say (i32.const 16) (i32.const 5) (i32.const 128))))
        (call $drop (local.get $b))`),
      linkCounters,
    ),
  )
  expect(failure).toBeUndefined()
  expect(said).toEqual(['equal', 'dropped B'])
})

test.each([
  ['dropped twice', '(call $drop (local.get $a)) (call $drop (local.get $a))'],
  ['that is none', '(drop (call $mix (local.get $a) (i32.const 99)))'],
  // The handle of the request itself.
  ['of another resource', '(drop (call $mix (local.get $a) (local.get 0)))'],
])('a handle %s ends the request', async (_, body) => {
  const { failure } = await run(composed(counting, usesCounters(body), linkCounters))
  expect(failure).toMatch(/handle \d+ is (not a|of another resource)/)
})

test('a handle of the host goes through another component', async () => {
  const passing = `
    (import "pollable" (type $pollable (sub resource)))
    (import "block" (func $block (param "self" (borrow $pollable))))
    (core func $block-it (canon lower (func $block)))
    (core func $drop-it (canon resource.drop $pollable))
    (core instance $own (export "block" (func $block-it)) (export "drop" (func $drop-it)))
    (core module $m
      (import "own" "block" (func $block (param i32)))
      (import "own" "drop" (func $drop (param i32)))
      (func (export "wait") (param i32) (call $block (local.get 0)) (call $drop (local.get 0))))
    (core instance $core (instantiate $m (with "own" (instance $own))))
    (func (export "wait") (param "self" (borrow $pollable)) (canon lift (core func $core "wait")))`
  const lending = `
    (import "pollable" (type $pollable (sub resource)))
    (import "duration" (func $duration (param "when" u64) (result (own $pollable))))
    (import "wait" (func $wait (param "self" (borrow $pollable))))
    (core func $in (canon lower (func $duration)))
    (core func $wait-it (canon lower (func $wait)))
    (core func $drop-it (canon resource.drop $pollable))
    (core instance $own (export "in" (func $in)) (export "wait" (func $wait-it))
      (export "drop" (func $drop-it)))
    (core module $m
      (import "own" "in" (func $in (param i64) (result i32)))
      (import "own" "wait" (func $wait (param i32)))
      (import "own" "drop" (func $drop (param i32)))
      (func (export "handle") (param i32 i32) (local $p i32)
        (local.set $p (call $in (i64.const 20000000)))
        ;; Lent twice, and still its own to drop.
        (call $wait (local.get $p)) (call $wait (local.get $p)) (call $drop (local.get $p))))
    (core instance $core (instantiate $m (with "own" (instance $own))))`
  const started = performance.now()
  const { failure } = await run(
    composed(
      passing,
      lending,
      `(alias export $clock "subscribe-duration" (func $duration))
       (alias export $poll "[method]pollable.block" (func $block))
       (instance $p (instantiate $provider (with "pollable" (type $pollable))
         (with "block" (func $block))))
       (instance $c (instantiate $consumer (with "pollable" (type $pollable))
         (with "duration" (func $duration)) (with "wait" (func $p "wait"))
         (with "request" (type $request)) (with "outparam" (type $outparam))))`,
    ),
  )
  expect(failure).toBeUndefined()
  expect(performance.now() - started).toBeGreaterThan(19)
})
