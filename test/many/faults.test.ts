// Hosts and the store end under load: no job is lost, none is made twice, and what fails says when to try again.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { embeddedOnly } from '../support/embedded-only.ts'
import { type Hosts, startHosts } from './hosts.ts'
import { endsOf, type Load, startLoad } from './load.ts'
import { noStore } from './store.ts'

const only = embeddedOnly('starts hosts of its own')
const CLIENTS = 3

let world: Hosts
let load: Load
/** Prompts that ComfyUI had taken before the load began. */
let before = 0

describe.skipIf(noStore !== '' || only.skip)(`under load, three hosts${noStore}`, only, () => {
  beforeAll(async () => {
    world = await startHosts({ durable: true })
    for (const { url } of world.hosts) await (await fetch(`${url}/tools`)).text()
  })
  afterAll(() => world?.close())
  beforeEach(async () => {
    before = world.comfyui.taken.length
    load = startLoad(world.proxy.url, CLIENTS)
    await sleep(500)
  })
  afterEach(() => load.stop())

  /** Every job that a client got has ended as it should, and ComfyUI has made it once. */
  async function expectEachOnce(): Promise<void> {
    await load.stop()
    const ids = [...load.jobs.values()].map((of) => {
      expect(of.size).toBe(1)
      return [...of][0] as string
    })
    for (const id of ids) {
      const status = async () => {
        const answer = await fetch(`${world.proxy.url}/jobs/${id}`)
        return ((await answer.json()) as { status?: string }).status
      }
      await expect.poll(status, { timeout: 40_000, interval: 200 }).toBe('completed')
    }
    expect(world.comfyui.taken.slice(before).sort()).toEqual(ids.sort())
    for (const { end, retryAfter, text } of load.answers) {
      expect(text).not.toMatch(/\.ts:|node_modules|at async|127\.0\.0\.1/)
      expect([200, 202, 429, 502, 503, 504, 'broken']).toContain(end)
      // The proxy's own answers are pages.
      if (end === 503 && text.startsWith('{')) expect(retryAfter, text).toMatch(/^\d+$/)
    }
    console.log(
      expect.getState().currentTestName,
      `${ids.length} jobs, ${load.failed.size} failed`,
      endsOf(load.answers),
      {
        longestGapMs: Math.round(load.longestGapMs()),
      },
    )
  }

  const health = () =>
    Promise.all(world.hosts.map(async ({ url }) => (await fetch(`${url}/health`)).status))

  it('of which one is killed, and then each is restarted', { timeout: 90_000 }, async () => {
    const [first, ...others] = world.hosts
    await first?.kill()
    await first?.start()
    for (const host of others) {
      await host.stop()
      await host.start()
    }
    await expectEachOnce()
  })

  it('whose store crashes, and is then away for ten seconds', { timeout: 90_000 }, async () => {
    await world.store.kill()
    await world.store.start()
    await sleep(1000)
    await world.store.kill()
    await sleep(10_000)
    expect(await health()).toEqual([503, 503, 503])
    await world.store.start()
    const came = performance.now()
    const served = load.answers.length
    const isServed = () => load.answers.slice(served).some(({ end }) => end === 202)
    await expect.poll(isServed, { timeout: 10_000, interval: 20 }).toBe(true)
    console.log('served again after', Math.round(performance.now() - came), 'ms')
    expect(endsOf(load.answers)).toHaveProperty('503')
    expect(await health()).toEqual([200, 200, 200])
    await expectEachOnce()
  })
})
