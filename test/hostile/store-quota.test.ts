// A component that writes without end takes neither the disk nor what others may keep.
import { afterAll, beforeAll, expect } from 'vitest'
import { attack } from './support/attack.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { built } from './support/wat.ts'

const MAX_KEYS = 20
const MAX_BYTES = 100_000

let app: RunningApplication
beforeAll(async () => {
  const wasm = await built('test/fidelity/guest')
  app = await startHostile(
    { flood: { wasm, stores: ['default'] }, good: { wasm, stores: ['default'] } },
    { maxStoreKeys: MAX_KEYS, maxStoreBytes: MAX_BYTES },
  )
})
afterAll(() => app.close())

interface Answer {
  value?: string
  payload?: { tag: string; val: string }
}

async function kv(component: string, query: string): Promise<Answer> {
  const response = await fetch(`${app.url}/${component}/${query}`)
  return (await response.json()) as Answer
}

attack('a component stores entries without end', async () => {
  let refusal: Answer['payload']
  let stored = 0
  while (stored <= MAX_KEYS && !refusal) {
    const answer = await kv('flood', `kv?key=flood-${stored}&set=x`)
    refusal = answer.payload
    if (!refusal) stored++
  }
  expect(stored).toBe(MAX_KEYS)
  expect(refusal).toEqual({
    tag: 'other',
    val: 'quota exceeded: the component already keeps 20 of 20 entries',
  })
  expect(await kv('good', 'kv?key=mine&set=kept')).toMatchObject({ value: 'kept' })
  await Promise.all(
    Array.from({ length: MAX_KEYS }, (_, i) => kv('flood', `kv?key=flood-${i}&delete`)),
  )
  return refusal?.val ?? ''
})

attack('a component stores more bytes than it may keep', async () => {
  const { payload } = await kv('flood', 'kv-large?bytes=200000')
  expect(payload).toMatchObject({ tag: 'other' })
  expect(payload?.val).toMatch(/^quota exceeded: .* of 100000 bytes$/)
  expect(await kv('flood', 'kv-large?bytes=90000')).toMatchObject({ bytes: 90_000, same: true })
  return payload?.val ?? ''
})

attack('a component stores a key of 2 KB', async () => {
  const { payload } = await kv('flood', `kv?key=${'k'.repeat(2000)}&set=x`)
  expect(payload?.val).toBe('quota exceeded: the key is longer than 1024 bytes')
  return payload?.val ?? ''
})
