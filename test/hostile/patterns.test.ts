// A pattern of a published schema is the component's own, but the gateway's guest matches it.
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver, publisher, rpc } from './support/publisher.ts'

const PATTERNS = [
  '^(a+)+$',
  '^(a|a)*b',
  '(a|aa)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*a){20}c',
  '^\\s+|\\s+$',
  'a*a*a*b',
  '^(?=(a+)+b)a',
]

let host: RunningApplication

beforeAll(async () => {
  const tools = PATTERNS.map((pattern, index) => ({
    name: `match-${index}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern } } },
  }))
  host = await startHostile(
    {
      gateway: await gatewayOver(['patterns']),
      patterns: { wasm: await publisher({ tools, content: [] }), route: false },
    },
    // One thread: whatever waits, waits behind the attack.
    { workers: 1 },
  )
  await rpc(host.url, 'tools/list', {})
})

afterAll(() => host.close())

describe('a pattern that goes back for ever', () => {
  for (const [index, pattern] of PATTERNS.entries()) {
    attack(`schema with the pattern ${pattern}, text of 20,000 characters`, async () => {
      const character = pattern.includes('\\s') ? ' ' : 'a'
      const text = `x${character.repeat(20_000)}!`.slice(pattern.startsWith('^(') ? 1 : 0)
      const started = performance.now()
      const call = rpc(host.url, 'tools/call', { name: `match-${index}`, arguments: { text } })
      await new Promise((wake) => setTimeout(wake, 50))
      expect((await fetch(`${host.url}/health`)).status).toBe(200)
      const ms = performance.now() - started
      // And not the error of a thread that the host ended, which going back for a minute would bring.
      expect(JSON.stringify(await call)).toContain('must match the pattern')
      return `-32602, matched in linear time; /health waited ${Math.round(ms)} ms`
    })
  }
})
