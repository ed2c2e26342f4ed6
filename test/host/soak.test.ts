import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Figures, MeasuredHost } from '../support/measured-host.ts'
import { sleep, temporaryFolder } from './fixture.ts'
import { allInstancesServe, soak, startSoakHost } from './soak.ts'
import { MEGABYTE } from './slow-reader.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let host: MeasuredHost
beforeAll(async () => {
  folder = await temporaryFolder()
  host = await startSoakHost(folder.path)
})
afterAll(async () => {
  await host.close()
  await folder.remove()
})

/** When nothing is under way any more: connections are closed, guests that were left have been ended. */
async function atRest(): Promise<Figures> {
  await sleep(1500)
  let figures = await host.figures()
  // On a busy machine a lost thread is replaced seconds later; a number that was read between the two is too low.
  for (let same = 0, tries = 0; same < 4 && tries < 40; tries++) {
    await sleep(500)
    const next = await host.figures()
    same = next.threads === figures.threads ? same + 1 : 0
    figures = next
  }
  return figures
}

test(
  'half a minute of everything at once leaves nothing behind',
  { timeout: 240_000 },
  async () => {
    await soak(host.url, 12)
    const before = await atRest()
    const tallies = await soak(host.url, 15)
    const after = await atRest()

    expect(tallies.flatMap(({ kind, wrong }) => wrong.map((what) => `${kind}, ${what}`))).toEqual(
      [],
    )
    for (const { kind, right } of tallies) expect(right, kind).toBeGreaterThan(0)
    // Only who shared a thread with a guest that kept it may have failed.
    const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
    expect(failed).toBeLessThanOrEqual(after.lost.failed)
    // Connections that were left are closed a little later on a busy machine.
    await expect
      .poll(async () => (await host.figures()).files - before.files, { timeout: 60_000 })
      .toBeLessThanOrEqual(2)
    // A worker that gets no core is refused its share of the requests. An instance that was not given back stays so.
    await expect
      .poll(() => allInstancesServe(host.url), { timeout: 30_000, interval: 200 })
      .toBe(true)

    // A worker that helped out stays for 5 seconds, and the one of the quarantine may have come with the second load.
    const threads = async () => {
      await (await fetch(`${host.url}/good/wait?ms=0`)).text()
      return (await host.figures()).threads
    }
    await expect
      .poll(threads, { timeout: 20_000, interval: 500 })
      .toBeLessThanOrEqual(before.threads + 1)
    expect(Object.keys(after.resources).sort()).toEqual(Object.keys(before.resources).sort())
    // Guests that take all they may wait for the collector: 200 MB more or less. One that was kept each second would be more.
    expect(after.rss - before.rss).toBeLessThan(300 * MEGABYTE)
  },
)
