// 80 callers that each send a body as large as a gateway reads, to a TypeScript tool, beside one caller of `echo`.
//
// Time is not measured: what is counted is how many of the large calls end while `echo` is called a few times.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

const CALLERS = 80
const CALLS = 20

/** Large calls that may end meanwhile. In the order of their coming, all would end before the second of the others. */
const MOST = 20

/** Bytes of a body that a gateway still reads. */
const BODY_BYTES = 4 * 1024 * 1024 - 1024

const key = () => `ftl_${randomBytes(32).toString('base64url')}`
const KEYS = { ada: key(), bob: key() }

let host: RunningApplication
beforeAll(async () => {
  const keys = Object.entries(KEYS).map(([principal, text]) => ({
    ...{ principal, scopes: [] },
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  host = await startHostile({
    gateway: await gatewayOver(['echo'], {
      api_keys: JSON.stringify(keys),
      policy: 'signed-in',
      discovery_timeout_ms: '20000',
    }),
    echo: { wasm: await built('echo'), route: false },
  })
})
afterAll(() => host.close())

async function call(by: string, more: string): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${by}` }
  const params = `{"name":"echo","arguments":{"message":"x"${more}}}`
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
  const response = await fetch(`${host.url}/mcp`, { method: 'POST', headers, body })
  await response.text()
  return response.status
}

attack(
  '80 callers whose bodies are as large as the gateway reads',
  async () => {
    expect(await call(KEYS.bob, '')).toBe(200)
    const numbers = `,"a":[${'1,'.repeat(BODY_BYTES / 2 - 200)}1]`
    const text = `,"a":"${'x'.repeat(BODY_BYTES - 300)}"`
    let ended = 0
    const crowd = Array.from({ length: CALLERS }, async (_, nth) => {
      const status = await call(KEYS.ada, nth % 2 === 0 ? numbers : text)
      ended++
      return status
    })
    let before = 0
    for (let nth = 0; nth < CALLS; nth++) {
      expect(await call(KEYS.bob, '')).toBe(200)
      // The first calls of the crowd begin before anything is known of it.
      if (nth === 0) before = ended
    }
    const meanwhile = ended - before
    expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]))
    expect(host.errors).toEqual([])
    expect(meanwhile).toBeLessThanOrEqual(MOST)
    return `all are answered, and echo ${CALLS} times while ${meanwhile} of them end`
  },
  400_000,
)
