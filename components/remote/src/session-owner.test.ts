import { describe, expect, it } from 'vitest'
import { memoryPlatform } from 'ftl-platform/memory'
import { SHARED, ownerOf } from './session-owner.ts'
import { openStore } from './store.ts'

const digest = 'of the servers'
const server = 'one'

describe('the owner of a session', () => {
  it('is a user, or all calls without one', async () => {
    const [ann, again, bob] = await Promise.all(
      ['ann', 'ann', 'bob'].map((principal) => ownerOf({ principal })),
    )
    expect(ann).toEqual(again)
    expect(bob).not.toEqual(ann)
    expect(await ownerOf({})).toBe(SHARED)
  })

  it('alone is given it, although another user has the same slot', async () => {
    const store = openStore(memoryPlatform(), 'remote')
    const ann = { slot: ':abc', digest: 'abc1' }
    const bob = { slot: ':abc', digest: 'abc2' }
    const connection = { revision: '2025-11-25', session: 's' }
    await store.keepConnection({ server, digest, owner: ann }, connection)
    expect(await store.connection({ server, digest, owner: ann })).toEqual(connection)
    expect(await store.connection({ server, digest, owner: bob })).toBeUndefined()
    expect(await store.connection({ server, digest, owner: SHARED })).toBeUndefined()
    expect(await store.connection({ server, digest: 'another', owner: ann })).toBeUndefined()
  })

  it('has one of at most 4096 entries for each server', async () => {
    const slots = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, at) => (await ownerOf({ principal: `user ${at}` })).slot,
      ),
    )
    for (const slot of slots) expect(slot).toMatch(/^:[0-9a-f]{3}$/)
  })
})
