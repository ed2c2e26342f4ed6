import fc from 'fast-check'
import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import { createScope, type Scope } from './scope.ts'
import { StoreFull } from './store-failure.ts'
import { type Item, itemsOf, RESULTS, takeRoom } from './store-shares.ts'
import { jsonOf } from 'ftl-platform'

const KIB = 1024
const MIB = 1024 * KIB
const FAR = 1e12

interface Options {
  settings?: string
  hostBytes?: number
  compares?: boolean
}

function world({ settings = '', hostBytes = 0, compares = true }: Options = {}) {
  const clock = { now: 1000 }
  const platform = memoryPlatform({
    variables: { call_settings: settings, host_store_bytes: String(hostBytes) },
    conditionalWrites: compares,
    now: () => clock.now,
  })
  const scope = () => createScope(platform, 'test')
  return { platform, clock, scope }
}

/** What is given out, as the gateway adds it up for all holders together. */
async function totals(scope: Scope): Promise<Map<string, number>> {
  const value = jsonOf(await (await scope.store()).get('gateway:shares')) ?? []
  return new Map((value as [string, [number]][]).map(([holder, [bytes]]) => [holder, bytes]))
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, each) => all + each, 0)
const item = (id: string, tag: string, bytes: number, expires = FAR): Item => [
  id,
  expires,
  0,
  tag,
  bytes,
]

/** Takes room for items of this size until no more fit. */
async function fill(scope: Scope, holder: string, tag: string, bytes: number): Promise<number> {
  for (let count = 0; count < 2000; count++) {
    try {
      await takeRoom(scope, holder, item(`${holder}-${tag}-${count}`, tag, bytes))
    } catch (error) {
      if (error instanceof StoreFull) return count
      throw error
    }
  }
  throw new Error('it is never full')
}

describe('the room in the store', () => {
  it('is half of what the host says, and store_bytes makes it smaller only', async () => {
    for (const [settings, hostBytes, room] of [
      ['', 0, 128 * MIB],
      ['', 64 * MIB, 32 * MIB],
      ['store_bytes=1048576', 64 * MIB, MIB],
      ['store_bytes=999999999', 64 * MIB, 32 * MIB],
      ['store_bytes=268435456', 0, 256 * MIB],
    ] as const) {
      const { scope } = world({ settings, hostBytes })
      const count = await fill(scope(), 'images', '', room / 32)
      // One holder alone takes at most as much as stays free.
      expect(count).toBe(16)
    }
  })

  it('always has a part for another holder, and for another caller of each', async () => {
    const { scope } = world({ settings: `store_bytes=${MIB}` })
    for (let holder = 0; holder < 4; holder++) {
      for (let caller = 0; caller < 3; caller++) {
        expect(await fill(scope(), `c${holder}`, `tag${caller}`, 8 * KIB)).toBeGreaterThan(0)
      }
    }
    expect(sum((await totals(scope())).values())).toBeLessThan(MIB)
  })

  it('is refused with the time until something expires, whom it is about, and what to do', async () => {
    const { scope, clock } = world({ settings: `store_bytes=${MIB}` })
    await takeRoom(scope(), 'images', item('a', 'ada', 250 * KIB, clock.now + 90_000))
    const refused = takeRoom(scope(), 'images', item('b', 'ada', 250 * KIB))
    await expect(refused).rejects.toMatchObject({
      retryAfterSeconds: 90,
      message:
        'The gateway\'s store has no space left for your jobs of "images". Retry in 90 s: some of its entries will have expired. ' +
        'The operator can raise store_bytes or lower job_ttl_ms.',
    })
    const all = takeRoom(scope(), 'images', item('b', 'bob', 600 * KIB))
    await expect(all).rejects.toThrow('for the component "images"')
  })

  it('comes back with what has expired, also of a holder that does nothing any more', async () => {
    const { scope, clock, platform } = world({ settings: `store_bytes=${MIB}` })
    const store = await platform.openKeyValue('default')
    await store.set('gateway:job:old', 'x')
    await takeRoom(scope(), 'gone', item('old', '', 500 * KIB, clock.now + 1000))
    await expect(takeRoom(scope(), 'images', item('a', '', 400 * KIB))).rejects.toThrow(StoreFull)
    clock.now += 2000
    await takeRoom(scope(), 'images', item('a', '', 400 * KIB))
    await platform.settled()
    expect(await store.exists('gateway:job:old')).toBe(false)
    expect((await totals(scope())).get('gone')).toBe(0)
  })

  it('of results: the oldest of the caller make room, and those of others stay', async () => {
    const { scope } = world({ settings: `store_bytes=${MIB}` })
    await takeRoom(scope(), RESULTS, item('other', 'bob', 50 * KIB))
    for (let i = 0; i < 30; i++) await takeRoom(scope(), RESULTS, item(`r${i}`, 'ada', 10 * KIB))
    const ids = (await itemsOf(scope(), RESULTS)).map(([id]) => id)
    expect(ids).toHaveLength(21)
    expect(ids).toContain('other')
    expect(ids.at(-1)).toBe('r29')
    await takeRoom(scope(), RESULTS, item('large', 'ada', 250 * KIB))
    expect((await itemsOf(scope(), RESULTS)).map(([id]) => id)).toContain('other')
  })

  it('counts items, too: short jobs of one caller leave places for another', async () => {
    const { scope, platform } = world()
    const items = Array.from({ length: 4000 }, (_, index) => item(`i${index}`, 'ada', 1))
    const store = await platform.openKeyValue('default')
    await store.set('gateway:share:images', JSON.stringify([1, items]))
    await expect(takeRoom(scope(), 'images', item('x', 'ada', 1))).rejects.toThrow('your jobs')
    await takeRoom(scope(), 'images', item('x', 'bob', 1))
  })
})

type Step =
  | { does: 'take'; holder: string; id: number; tag: string; bytes: number; lives: number }
  | { does: 'wait'; time: number }

const steps = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant('take' as const),
      holder: fc.constantFrom('a', 'b', 'constructor', RESULTS),
      id: fc.nat(12),
      tag: fc.constantFrom('', 'ada', 'bob'),
      // 0: it ends.
      bytes: fc.constantFrom(0, 1, 4, 16, 64, 300).map((blocks) => blocks * 4 * KIB),
      lives: fc.integer({ min: 1, max: 100 }),
    }),
    fc.record({ does: fc.constant('wait' as const), time: fc.integer({ min: 1, max: 60 }) }),
  ),
  { maxLength: 40 },
)

/** What was granted, by holder and id: at least this is or may be stored. */
type Granted = Map<string, { bytes: number; expires: number }>

async function apply(step: Step, at: ReturnType<typeof world>, granted: Granted): Promise<void> {
  if (step.does === 'wait') {
    at.clock.now += step.time
    return
  }
  const { holder, id, tag, bytes } = step
  const expires = at.clock.now + step.lives
  try {
    await takeRoom(at.scope(), holder, [`${id}`, expires, at.clock.now, tag, bytes])
    granted.set(`${holder} ${id}`, { bytes, expires })
  } catch (error) {
    if (!(error instanceof StoreFull)) throw error
  }
}

const ROOM = 4 * MIB

/** The totals are those of the books; what is granted and lives is in the books; together it is within the room. */
async function check(at: ReturnType<typeof world>, granted: Granted): Promise<void> {
  const added = await totals(at.scope())
  let all = 0
  for (const holder of ['a', 'b', 'constructor', RESULTS]) {
    const items = await itemsOf(at.scope(), holder)
    expect(new Set(items.map(([id]) => id)).size).toBe(items.length)
    const bytes = sum(items.map((each) => each[4]))
    expect(added.get(holder) ?? 0).toBe(bytes)
    all += bytes
    if (holder === RESULTS) continue
    for (const [key, { bytes, expires }] of granted) {
      const [of, id] = key.split(' ')
      if (of !== holder || expires <= at.clock.now || bytes === 0) continue
      expect(items.find(([known]) => known === id)?.[4]).toBe(bytes)
    }
  }
  expect(all).toBeLessThanOrEqual(ROOM)
}

describe('whatever begins, grows, ends and expires', () => {
  it('one after the other: the totals are exact, and nothing that lives is forgotten', async () => {
    const property = fc.asyncProperty(steps, async (all) => {
      for (const compares of [true, false]) {
        const at = world({ settings: `store_bytes=${ROOM}`, compares })
        const granted: Granted = new Map()
        for (const step of all) {
          await apply(step, at, granted)
          await check(at, granted)
        }
      }
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it('at the same moment, where the host compares: the totals are exact, and within the room', async () => {
    const property = fc.asyncProperty(fc.array(steps, { maxLength: 6 }), async (batches) => {
      const at = world({ settings: `store_bytes=${ROOM}` })
      for (const batch of batches) {
        // Several for one id have no order.
        const once = new Map(
          batch.map((step) => [step.does === 'take' ? `${step.holder} ${step.id}` : '', step]),
        )
        const granted: Granted = new Map()
        await Promise.all([...once.values()].map((step) => apply(step, at, granted)))
        await check(at, granted)
      }
    })
    await fc.assert(property, { numRuns: 60 })
  })
})
