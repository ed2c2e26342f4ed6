// What a client may write into a request: the gateway answers in words, stays up, and believes nothing of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher, rpc } from './support/publisher.ts'

const MIB = 1024 * 1024

let host: RunningApplication

beforeAll(async () => {
  const tools = [
    {
      name: 'strict',
      inputSchema: {
        type: 'object',
        properties: { count: { type: 'integer' } },
        additionalProperties: false,
      },
    },
    { name: 'open', inputSchema: { type: 'object' } },
  ]
  const said = { content: [{ type: 'text', text: 'called' }] }
  const variables = { discovery_timeout_ms: '20000' }
  host = await startHostile({
    gateway: await gatewayOver(['tool'], variables),
    tool: { wasm: await publisher({ tools, ...said }), route: false },
  })
  await rpc(host.url, 'tools/list', {})
})

afterAll(() => host.close())

interface Answered {
  status: number
  text: string
}

async function post(body: string | Uint8Array<ArrayBuffer>, path = '/mcp'): Promise<Answered> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${host.url}${path}`, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

const calling = (name: string, args: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call"${more},"params":{"name":${JSON.stringify(name)},"arguments":${args}}}`

const deep = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
const filled = (piece: string) => piece.repeat(Math.floor((4 * MIB - 300) / piece.length))

/** Each is refused; the text is a part of what the answer says. */
const REFUSED: [what: string, body: () => string | Uint8Array<ArrayBuffer>, says: string][] = [
  [
    '__proto__ where no more arguments are allowed',
    () => calling('strict', '{"__proto__":{"count":1}}'),
    '__proto__',
  ],
  [
    'constructor where no more arguments are allowed',
    () => calling('strict', '{"constructor":1}'),
    'constructor',
  ],
  [
    'an argument twice, the second wrong',
    () => calling('strict', '{"count":1,"count":"x"}'),
    'count',
  ],
  [
    'a number that is too large for an integer',
    () => calling('strict', '{"count":1e400}'),
    'count',
  ],
  ['arguments of 5,000 levels', () => calling('open', deep(5_000)), 'nests deeper'],
  ['4 MiB of brackets', () => filled('['), '-32'],
  ['4 MiB of [],', () => calling('open', `{"a":[${filled('[],')}[]]}`), 'arrays and objects'],
  ['more than 4 MiB', () => calling('open', `{"a":"${'x'.repeat(4 * MIB)}"}`), 'more than'],
  ['two byte order marks', () => `\ufeff\ufeff${calling('open', '{}')}`, '-32700'],
  ['a method named __proto__', () => '{"jsonrpc":"2.0","id":1,"method":"__proto__"}', '-32601'],
  ['a method named constructor', () => '{"jsonrpc":"2.0","id":1,"method":"constructor"}', '-32601'],
  [
    'params that have only a prototype',
    () => '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"open"}}}',
    'name',
  ],
  [
    'a message that has only a prototype',
    () => '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
    '-32600',
  ],
  [
    'an id of 400 digits',
    () => `{"jsonrpc":"2.0","id":${'9'.repeat(400)},"method":"ping"}`,
    '-32600',
  ],
  ['a name with CR and LF', () => calling('open\r\nx-forwarded-user: alice', '{}'), '-32001'],
  ['a name with a zero byte', () => calling('open\0', '{}'), '-32001'],
  [
    'a name with half a character',
    () => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open\\ud800"}}`,
    '-32001',
  ],
  ['a name of 1 MiB', () => calling('x'.repeat(MIB), '{}'), '-32001'],
]

/** Each is answered like a good call. */
const SERVED: [what: string, body: () => string | Uint8Array<ArrayBuffer>][] = [
  [
    '__proto__ among the arguments',
    () => calling('open', '{"__proto__":{"admin":true},"constructor":{"prototype":1}}'),
  ],
  [
    '__proto__ in _meta',
    () =>
      calling('open', '{},"_meta":{"__proto__":{"progressToken":1},"progressToken":"x\\r\\ny"}'),
  ],
  ['half a character in an argument', () => calling('open', '{"a":"\\ud800","\\udfff":1}')],
  ['4 MiB of one text', () => calling('open', `{"a":"${filled('x')}"}`)],
  ['4 MiB of escapes', () => calling('open', `{"a":"${filled('\\u0000')}"}`)],
  [
    '100,000 arguments',
    () => calling('open', `{${Array.from({ length: 100_000 }, (_, nth) => `"k${nth}":0`).join()}}`),
  ],
  ['bytes that are not UTF-8', () => invalidUtf8(calling('open', '{"a":"@"}'))],
]

function invalidUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text)
  bytes[bytes.indexOf(64)] = 0xff
  return bytes
}

describe('a body', () => {
  for (const [what, body, says] of REFUSED) {
    attack(
      `body with ${what}`,
      async () => {
        const sent = body()
        const { status, text } = await post(sent)
        expect(status, text.slice(0, 300)).toBeLessThan(500)
        expect(text).toContain(says)
        // A name may be repeated once; nothing makes the answer much longer than the request.
        expect(text.length).toBeLessThan(sent.length + 10_000)
        return `${status}, ${/-?32\d{3}|isError/.exec(text)?.[0] ?? 'refused'}`
      },
      30_000,
    )
  }
  for (const [what, body] of SERVED) {
    attack(
      `body with ${what}`,
      async () => {
        const { status, text } = await post(body())
        expect(status, text.slice(0, 300)).toBe(200)
        expect(text).toContain('called')
        return 'served like any other call'
      },
      30_000,
    )
  }
})

test('nothing of all this stays in the gateway', async () => {
  const { text } = await post(calling('strict', '{"count":1}'))
  expect(text).toContain('called')
  const refused = await post(calling('strict', '{"admin":true}'))
  expect(refused.text).toContain('admin')
})
