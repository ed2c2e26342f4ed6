import { describe, expect, it } from 'vitest'
import { joinedEntry, partedEntry } from './parted-entry.ts'

function memory() {
  const entries = new Map<string, Uint8Array>()
  const store = {
    get: async (key: string) => entries.get(key),
    set: async (key: string, value: string | Uint8Array) =>
      void entries.set(key, typeof value === 'string' ? new TextEncoder().encode(value) : value),
  }
  const write = async (text: string) => store.set('a', await partedEntry(store, 'a', text))
  const read = async () => {
    const bytes = await joinedEntry(store, 'a', await store.get('a'))
    return bytes && new TextDecoder().decode(bytes)
  }
  return { entries, store, write, read }
}

describe('an entry in parts', () => {
  it.each([0, 300_000, 900_000, 900_001, 3_000_000])(
    'of %d characters comes back, and no value is larger than 1 MB',
    async (length) => {
      const { entries, write, read } = memory()
      const text = '"é€'.repeat(length / 3)
      await write(text)
      expect(await read()).toBe(text)
      for (const value of entries.values()) expect(value.length).toBeLessThanOrEqual(1_000_000)
    },
  )

  it('can still be read by one who began before the next was written', async () => {
    const { store, write, read } = memory()
    const [first, second] = ['x', 'y'].map((letter) => letter.repeat(2_000_000))
    await write(first ?? '')
    const begun = await store.get('a')
    await write(second ?? '')
    const bytes = await joinedEntry(store, 'a', begun)
    expect(new TextDecoder().decode(bytes)).toBe(first)
    expect(await read()).toBe(second)
  })

  it('of which a part is gone or belongs to another is none', async () => {
    const { entries, write, read } = memory()
    await write('x'.repeat(2_000_000))
    const [key = ''] = [...entries.keys()].filter((each) => each.includes('part'))
    entries.set(key, new TextEncoder().encode('another'))
    expect(await read()).toBeUndefined()
    entries.delete(key)
    expect(await read()).toBeUndefined()
  })

  it('that is not in parts is what it is', async () => {
    const { write, read } = memory()
    for (const text of ['{}', 'parts', 'part:0:1:x', 'parts of it: one: two']) {
      await write(text)
      expect(await read()).toBe(text)
    }
  })
})
