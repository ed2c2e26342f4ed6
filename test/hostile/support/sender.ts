// A component that sends any request its headers describe, without the corrections a language's fetch makes.
import { request } from 'node:http'
import { HTTP_ERROR_CODES as CODES } from '../../../host/src/http/http-error.ts'
import { guest, HANDLE } from './wat.ts'

const FIELDS = 'wasi:http/types@0.2.10'

/** Imports as `$name "module" "field" (param …) (result i32)`. */
const IMPORTS = [
  ['new-fields', FIELDS, '[constructor]fields', '(result i32)'],
  ['get', FIELDS, '[method]fields.get', '(param i32 i32 i32 i32)'],
  ['append', FIELDS, '[method]fields.append', '(param i32 i32 i32 i32 i32 i32)'],
  ['incoming', FIELDS, '[method]incoming-request.headers', '(param i32) (result i32)'],
  ['new-request', FIELDS, '[constructor]outgoing-request', '(param i32) (result i32)'],
  [
    'set-method',
    FIELDS,
    '[method]outgoing-request.set-method',
    '(param i32 i32 i32 i32) (result i32)',
  ],
  [
    'set-path',
    FIELDS,
    '[method]outgoing-request.set-path-with-query',
    '(param i32 i32 i32 i32) (result i32)',
  ],
  [
    'set-scheme',
    FIELDS,
    '[method]outgoing-request.set-scheme',
    '(param i32 i32 i32 i32 i32) (result i32)',
  ],
  [
    'set-authority',
    FIELDS,
    '[method]outgoing-request.set-authority',
    '(param i32 i32 i32 i32) (result i32)',
  ],
  ['request-body', FIELDS, '[method]outgoing-request.body', '(param i32 i32)'],
  ['body-write', FIELDS, '[method]outgoing-body.write', '(param i32 i32)'],
  ['finish', FIELDS, '[static]outgoing-body.finish', '(param i32 i32 i32 i32)'],
  [
    'write',
    'wasi:io/streams@0.2.10',
    '[method]output-stream.blocking-write-and-flush',
    '(param i32 i32 i32 i32)',
  ],
  ['drop-output', 'wasi:io/streams@0.2.10', '[resource-drop]output-stream', '(param i32)'],
  ['send', 'wasi:http/outgoing-handler@0.2.10', 'handle', '(param i32 i32 i32 i32)'],
  ['subscribe', FIELDS, '[method]future-incoming-response.subscribe', '(param i32) (result i32)'],
  ['block', 'wasi:io/poll@0.2.10', '[method]pollable.block', '(param i32)'],
  ['outcome', FIELDS, '[method]future-incoming-response.get', '(param i32 i32)'],
  ['status', FIELDS, '[method]incoming-response.status', '(param i32) (result i32)'],
  ['consume', FIELDS, '[method]incoming-response.consume', '(param i32 i32)'],
  ['stream', FIELDS, '[method]incoming-body.stream', '(param i32 i32)'],
  ['read', 'wasi:io/streams@0.2.10', '[method]input-stream.blocking-read', '(param i32 i64 i32)'],
  ['new-response', FIELDS, '[constructor]outgoing-response', '(param i32) (result i32)'],
  [
    'set-status',
    FIELDS,
    '[method]outgoing-response.set-status-code',
    '(param i32 i32) (result i32)',
  ],
  ['response-body', FIELDS, '[method]outgoing-response.body', '(param i32 i32)'],
  [
    'answer',
    FIELDS,
    '[static]response-outparam.set',
    '(param i32 i32 i32 i32 i64 i32 i32 i32 i32)',
  ],
] as const

/** Statuses of its answer when the request was not answered; the number of the cause is added. */
const REFUSED_HEADER = 510
const REFUSED_PART = 515
const FAILED = 520

/** Names of the headers that describe the request to send; `via` is the method. */
const TELL = ['to', 'via', 'path', 'names', 'values', 'content'] as const
const AT = (name: (typeof TELL)[number]) => 16 * TELL.indexOf(name)

/** Encodes the component. It answers with the status and the first piece of the body it received. */
export const sender = (): Promise<Uint8Array> =>
  guest(`(module
  ${IMPORTS.map(([name, module, field, type]) => `(import "${module}" "${field}" (func $${name} ${type}))`).join('\n  ')}
  (memory (export "memory") 16)
  ${TELL.map((name) => `(data (i32.const ${AT(name)}) "${name}")`).join('\n  ')}
  (global $next (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $next))
    (global.set $next (i32.and (i32.add (i32.add (global.get $next) (local.get $size)) (i32.const 15)) (i32.const -16)))
    (local.get $at))
  (global $in (mut i32) (i32.const 0))
  (global $at (mut i32) (i32.const 0))
  (global $size (mut i32) (i32.const 0))
  ;; Puts a value of an incoming header into $at and $size; returns how many there are.
  (func $told (param $name i32) (param $length i32) (param $nth i32) (result i32)
    (local $i i32)
    (call $get (global.get $in) (local.get $name) (local.get $length) (i32.const 1024))
    (if (i32.le_u (i32.load (i32.const 1028)) (local.get $nth)) (then (global.set $size (i32.const 0)) (return (i32.const 0))))
    (global.set $at (i32.load (i32.add (i32.load (i32.const 1024)) (i32.mul (local.get $nth) (i32.const 8)))))
    (global.set $size (i32.load (i32.add (i32.load (i32.const 1024)) (i32.add (i32.mul (local.get $nth) (i32.const 8)) (i32.const 4)))))
    ;; A backslash stands for CR, a backquote for LF, a tilde for NUL: no HTTP client sends those in a header.
    (block $done (loop $each
      (br_if $done (i32.ge_u (local.get $i) (global.get $size)))
      (call $swap (i32.add (global.get $at) (local.get $i)) (i32.const 92) (i32.const 13))
      (call $swap (i32.add (global.get $at) (local.get $i)) (i32.const 96) (i32.const 10))
      (call $swap (i32.add (global.get $at) (local.get $i)) (i32.const 126) (i32.const 0))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each)))
    (i32.load (i32.const 1028)))
  (func $swap (param $at i32) (param $from i32) (param $to i32)
    (if (i32.eq (i32.load8_u (local.get $at)) (local.get $from)) (then (i32.store8 (local.get $at) (local.get $to)))))
  (func $reply (param $out i32) (param $status i32) (param $at i32) (param $size i32)
    (local $response i32)
    (local.set $response (call $new-response (call $new-fields)))
    (drop (call $set-status (local.get $response) (local.get $status)))
    (call $response-body (local.get $response) (i32.const 1024))
    (call $answer (local.get $out) (i32.const 0) (local.get $response)
      (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (call $fill (i32.load (i32.const 1028)) (local.get $at) (local.get $size)))
  ;; Writes a body, in pieces of 4096 bytes at most, and ends it.
  (func $fill (param $body i32) (param $at i32) (param $size i32)
    (local $stream i32) (local $piece i32)
    (call $body-write (local.get $body) (i32.const 1032))
    (local.set $stream (i32.load (i32.const 1036)))
    (block $done (loop $each
      (br_if $done (i32.eqz (local.get $size)))
      (local.set $piece (select (i32.const 4096) (local.get $size) (i32.gt_u (local.get $size) (i32.const 4096))))
      (call $write (local.get $stream) (local.get $at) (local.get $piece) (i32.const 1040))
      (br_if $done (i32.load8_u (i32.const 1040)))
      (local.set $at (i32.add (local.get $at) (local.get $piece)))
      (local.set $size (i32.sub (local.get $size) (local.get $piece)))
      (br $each)))
    (call $drop-output (local.get $stream))
    (call $finish (local.get $body) (i32.const 0) (i32.const 0) (i32.const 1040)))
  (func (export "${HANDLE}") (param $request i32) (param $out i32)
    (local $fields i32) (local $message i32) (local $future i32) (local $i i32) (local $name i32) (local $length i32) (local $body i32)
    (global.set $in (call $incoming (local.get $request)))
    (local.set $fields (call $new-fields))
    ;; names and values are the headers, pair by pair.
    (block $done (loop $each
      (br_if $done (i32.le_u (call $told (i32.const ${AT('names')}) (i32.const 5) (local.get $i)) (local.get $i)))
      (local.set $name (global.get $at))
      (local.set $length (global.get $size))
      (drop (call $told (i32.const ${AT('values')}) (i32.const 6) (local.get $i)))
      (call $append (local.get $fields) (local.get $name) (local.get $length) (global.get $at) (global.get $size) (i32.const 1024))
      (if (i32.load8_u (i32.const 1024))
        (then (call $reply (local.get $out) (i32.add (i32.const ${REFUSED_HEADER}) (i32.load8_u (i32.const 1025))) (i32.const 0) (i32.const 0)) (return)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $each)))
    (local.set $message (call $new-request (local.get $fields)))
    (if (call $told (i32.const ${AT('via')}) (i32.const 3) (i32.const 0))
      (then (if (call $set-method (local.get $message) (i32.const 9) (global.get $at) (global.get $size))
        (then (call $reply (local.get $out) (i32.const ${REFUSED_PART}) (i32.const 0) (i32.const 0)) (return)))))
    (if (call $told (i32.const ${AT('path')}) (i32.const 4) (i32.const 0))
      (then (if (call $set-path (local.get $message) (i32.const 1) (global.get $at) (global.get $size))
        (then (call $reply (local.get $out) (i32.const ${REFUSED_PART + 1}) (i32.const 0) (i32.const 0)) (return)))))
    (drop (call $set-scheme (local.get $message) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0)))
    (drop (call $told (i32.const ${AT('to')}) (i32.const 2) (i32.const 0)))
    (if (call $set-authority (local.get $message) (i32.const 1) (global.get $at) (global.get $size))
      (then (call $reply (local.get $out) (i32.const ${REFUSED_PART + 2}) (i32.const 0) (i32.const 0)) (return)))
    (if (call $told (i32.const ${AT('content')}) (i32.const 7) (i32.const 0))
      (then
        (call $request-body (local.get $message) (i32.const 1024))
        (local.set $body (i32.load (i32.const 1028)))))
    (call $send (local.get $message) (i32.const 0) (i32.const 0) (i32.const 1024))
    (local.set $future (i32.load (i32.const 1032)))
    (if (local.get $body)
      (then
        (drop (call $told (i32.const ${AT('content')}) (i32.const 7) (i32.const 0)))
        (call $fill (local.get $body) (global.get $at) (global.get $size))))
    (call $block (call $subscribe (local.get $future)))
    (call $outcome (local.get $future) (i32.const 2048))
    (if (i32.load8_u (i32.const 2064))
      (then (call $reply (local.get $out) (i32.add (i32.const ${FAILED}) (i32.load8_u (i32.const 2072))) (i32.const 0) (i32.const 0)) (return)))
    (local.set $message (i32.load (i32.const 2072)))
    (call $consume (local.get $message) (i32.const 1024))
    (call $stream (i32.load (i32.const 1028)) (i32.const 1032))
    (call $read (i32.load (i32.const 1036)) (i64.const 65536) (i32.const 2048))
    (if (i32.load8_u (i32.const 2048))
      (then (call $reply (local.get $out) (call $status (local.get $message)) (i32.const 0) (i32.const 0)))
      (else (call $reply (local.get $out) (call $status (local.get $message)) (i32.load (i32.const 2052)) (i32.load (i32.const 2056)))))))`)

export interface Told {
  /** Host and port. */
  to: string
  method?: string
  path?: string
  headers?: readonly (readonly [name: string, value: string])[]
  /** The body; without one the guest never asks for the body of its request. */
  content?: string
}

/** What the request of a {@link sender} came to. */
export interface Sent {
  /** `answered 200`, or what refused it: `header forbidden`, `HTTP-request-denied`. */
  outcome: string
  /** The first piece of the body. */
  text: string
}

const HEADER_ERRORS = ['header invalid', 'header forbidden', 'header immutable']
const PARTS = ['method refused', 'path refused', 'authority refused']

/**
 * Makes the sender at `url` send a request.
 *
 * @param client further headers of the request to the sender.
 */
export async function tell(
  url: string,
  { to, method, path, headers = [], content }: Told,
  client: readonly (readonly [name: string, value: string])[] = [],
): Promise<Sent> {
  const raw = ['to', to]
  if (method !== undefined) raw.push('via', method)
  if (path !== undefined) raw.push('path', path)
  for (const [name, value] of headers) raw.push('names', name, 'values', value)
  if (content !== undefined) raw.push('content', content)
  const { status, text } = await get(url, [...raw, ...client.flat()])
  return { outcome: outcomeOf(status), text }
}

function outcomeOf(status: number): string {
  if (status >= FAILED) return CODES[status - FAILED] ?? `failed with ${status}`
  if (status >= REFUSED_PART) return PARTS[status - REFUSED_PART] ?? `refused with ${status}`
  return HEADER_ERRORS[status - REFUSED_HEADER] ?? `answered ${status}`
}

// Node's client, because fetch joins values of one name.
function get(url: string, headers: string[]): Promise<{ status: number; text: string }> {
  const { host } = new URL(url)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { headers: ['host', host, ...headers], agent: false },
      (answer) => {
        let text = ''
        answer.setEncoding('latin1').on('data', (piece: string) => (text += piece))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        answer.on('error', reject)
      },
    )
    outgoing.on('error', reject).end()
  })
}
