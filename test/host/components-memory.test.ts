// What each further component of the same engine takes of a host's memory.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredHost, startMeasured } from '../support/measured-host.ts'
import { writeApplication } from '../hostile/support/application.ts'
import { built } from '../hostile/support/wat.ts'

const MANY = 30
const WORKERS = 2

/** Bytes of a further component, in both workers. */
const MOST_EACH = 15 * 1024 ** 2

/** Milliseconds after which a host that does nothing takes no more than it needs. */
const SETTLED_MS = 20_000

const hosts: (MeasuredHost & { remove: () => Promise<void> })[] = []

async function startWith(count: number): Promise<MeasuredHost> {
  const wasm = await built('echo')
  const names = Array.from({ length: count }, (_, nth) => `echo-${nth}`)
  // Each file is another one, as if somebody had written thirty tools.
  const components = names.map(
    (name, nth) =>
      [name, { wasm: Buffer.concat([wasm, Buffer.from([0, 3, 1, 0x76, nth])]) }] as const,
  )
  const { folder, manifest, remove } = await writeApplication(Object.fromEntries(components))
  const host = await startMeasured({
    manifest,
    workers: WORKERS,
    stateDir: '',
    cacheDir: `${folder}/cache`,
    listen: '127.0.0.1:0',
    env: {},
  })
  for (const name of names) await (await fetch(`${host.url}/${name}/`)).text()
  hosts.push({ ...host, remove })
  return host
}

let few: MeasuredHost
let many: MeasuredHost

beforeAll(async () => {
  few = await startWith(1)
  many = await startWith(MANY)
}, 300_000)
afterAll(async () => {
  for (const { close, remove } of hosts) {
    await close()
    await remove()
  }
})

test(`each of ${MANY} components takes at most 15 MB in ${WORKERS} workers`, async () => {
  const each = async () => {
    const [one, thirty] = [(await few.figures()).rss, (await many.figures()).rss]
    return (thirty - one) / (MANY - 1)
  }
  // The workers give back in their own time what the preparation of thirty components took.
  await expect.poll(each, { timeout: SETTLED_MS, interval: 500 }).toBeLessThan(MOST_EACH)
})
