// 80 callers that each send a body as large as a gateway reads, to a TypeScript tool, beside one caller of `echo`.
//
// Time is not measured: what is counted is how many of the large calls end during a call of `echo`.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { built } from './support/wat.ts'

const CALLERS = 80
const CALLS = 20

/**
 * Large calls that may end during one of `echo`: as many as both threads work on at once. In the order of their coming, more than
 * forty do.
 */
const MOST = 12

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
    const meanwhile: number[] = []
    for (let nth = 0; nth < CALLS; nth++) {
      const before = ended
      expect(await call(KEYS.bob, '')).toBe(200)
      meanwhile.push(ended - before)
    }
    expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]))
    expect(host.errors).toEqual([])
    const most = Math.max(...meanwhile)
    expect(most).toBeLessThanOrEqual(MOST)
    return `all are answered, and at most ${most} of them end during one call of echo`
  },
  400_000,
)
