/** Requests for the fuzz tests: those of the differential tables of both eras, and what becomes of them by chance. */
import * as fc from 'fast-check'
import type { Case } from '../differential/cases/case.ts'
import { HTTP_CASES } from '../differential/cases/http.ts'
import { LEGACY_CASES } from '../differential/cases/legacy.ts'
import { MODERN_HEADER_CASES } from '../differential/cases/modern-headers.ts'
import { MODERN_CASES } from '../differential/cases/modern.ts'
import { type Edit, mutated } from './mutations.ts'

export interface FuzzRequest {
  headers: Readonly<Record<string, string>>
  body: string
}

interface Seed {
  headers: Readonly<Record<string, string>>
  message: unknown
}

/** Longest body of a table that is worth changing: the one of 4 MiB is not. */
const LONGEST_SEED = 10_000

const LEGACY = seedsOf([...LEGACY_CASES, ...HTTP_CASES])
const MODERN = seedsOf([...MODERN_CASES, ...MODERN_HEADER_CASES])

function seedsOf(cases: readonly Case[]): Seed[] {
  return cases.flatMap(({ headers, body = '' }) => {
    if (body.length > LONGEST_SEED) return []
    try {
      return [{ headers, message: JSON.parse(body) as unknown }]
    } catch {
      return []
    }
  })
}

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'method',
  'params',
  '_meta',
  'name',
  '',
]

const ODD_TEXT = ['"\\ud800"', '"\\udc00\\ud800"', '"\ud800"', '"\\u0000"', '"\u2028"', '"🎉"']
const POLLUTING = ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"x":1}}}']

const quoted = (text: string) => JSON.stringify(text)

const nested = (open: string, close: string) =>
  fc
    .constantFrom(3, 63, 64, 65, 500, 20_000)
    .map((depth) => `${open.repeat(depth)}1${close.repeat(depth)}`)

/** JSON for the most part; sometimes what a parser must refuse. */
const raw: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('null', 'true', '0', '-0', '1.5', '""', '[]', '{}') },
  { weight: 4, arbitrary: fc.constantFrom('-1', '1e308', '1e999', '9007199254740993', '"x"') },
  { weight: 4, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map(quoted) },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES).map(quoted) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXT) },
  { weight: 2, arbitrary: fc.constantFrom(...POLLUTING) },
  fc.constantFrom('NaN', 'undefined', "'x'", '01', '', '"', '{', ']', '"\n"'),
  fc.constantFrom(1_000, 9_000, 100_000).map((length) => quoted('x'.repeat(length))),
  nested('[', ']'),
  nested('{"a":', '}'),
)

const at = fc.nat(200)

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('replace' as const), at, raw }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drop' as const), at }) },
  fc.record({ kind: fc.constant('repeat' as const), at, raw }),
  fc.record({
    kind: fc.constant('add' as const),
    at,
    key: fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 10 })),
    raw,
  }),
)

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: [
    '',
    '*/*',
    'application/json',
    'text/event-stream',
    'text/event-stream;q=0',
    ',,;=',
    'x',
  ],
  'content-type': [
    'application/json',
    'application/json;',
    'APPLICATION/JSON',
    'text/plain',
    ';',
    '',
  ],
  'mcp-protocol-version': [
    '2026-07-28',
    '2025-11-25',
    '2025-03-26',
    '0.1.0',
    '9999-99-99',
    'x',
    '',
  ],
  'mcp-method': ['tools/list', 'tools/call', '__proto__', ''],
  'mcp-name': ['echo', '=?base64??=', '=?base64?ZWNobw==?=', '=?base64?/w==?=', '=?base64?', ''],
  'mcp-param-region': ['eu', '=?base64?!?=', ''],
  'mcp-session-id': ['x'],
  'x-request-id': ['x', 'a b', '<b>'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'x'],
  origin: ['http://localhost:3000', 'https://evil.example', 'null', 'x'],
}

// What HTTP lets through in a value.
const headerText = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)) })
  .map((value) => value.replaceAll('\x7f', '').trim())

const headerEdit: fc.Arbitrary<readonly [string, string | undefined]> = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...(HEADERS[name] ?? [])) },
        { weight: 2, arbitrary: fc.constant(undefined) },
        headerText,
      ),
    ),
  )

/** Cuts or adds to the text itself. */
const textEdit = fc.record({
  at,
  remove: fc.nat(20),
  insert: fc.oneof(
    fc.constantFrom('', '"', '{', '}', '[', ']', ',', '\\', '\u0000', '\uFEFF', '//', '\ud800'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  ),
})

const edits = fc.oneof(
  { weight: 4, arbitrary: fc.array(edit, { maxLength: 2 }) },
  fc.array(edit, { maxLength: 6 }),
)

function messageOf(seeds: readonly Seed[]): fc.Arbitrary<FuzzRequest> {
  return fc
    .tuple(fc.constantFrom(...seeds), edits)
    .map(([{ headers, message }, changes]) => ({ headers, body: mutated(message, changes) }))
}

/** Each with edits of its own; the headers are those of the first. */
const batch = fc
  .tuple(fc.array(messageOf(LEGACY), { maxLength: 5 }), fc.constantFrom(1, 1, 1, 11))
  .map(([messages, times]) => {
    const bodies = Array.from({ length: times }, () => messages.map(({ body }) => body)).flat()
    const { 'mcp-protocol-version': _version, ...headers } = messages[0]?.headers ?? {}
    return { headers, body: `[${bodies.join(',')}]` }
  })

/** One request, from good to hopeless. */
export const requests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: messageOf(LEGACY) },
      { weight: 5, arbitrary: messageOf(MODERN) },
      { weight: 2, arbitrary: batch },
      // An array of modern messages, and arrays in arrays.
      messageOf([...MODERN, ...LEGACY].map(inArray)),
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(textEdit, { maxLength: 2 })),
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(headerEdit, { maxLength: 3 })),
  )
  .map(([{ headers, body }, textEdits, headerEdits]) => {
    const text = textEdits.reduce((done, { at: place, remove, insert }) => {
      const start = place % (done.length + 1)
      return done.slice(0, start) + insert + done.slice(start + remove)
    }, body)
    const merged = Object.entries({ ...headers, ...Object.fromEntries(headerEdits) })
    const given = merged.filter((entry): entry is [string, string] => entry[1] !== undefined)
    return { headers: Object.fromEntries(given), body: text }
  })

function inArray({ headers, message }: Seed): Seed {
  return { headers, message: [message] }
}
