// A store that is slow, answers garbage or refuses the password.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHost, type Host } from 'ftl-host'
import { embeddedOnly } from '../support/embedded-only.ts'
import { request } from './clients.ts'
import { noStore, startStore, type Store } from './store.ts'
import { type Line, startStoreLine, type StoreLine } from './store-line.ts'
import { CACHE, MANIFEST, runtimeConfig } from './world.ts'

const only = embeddedOnly('starts hosts of its own')
const ID = '00000000-0000-4000-8000-000000000000'
/** The host waits five seconds for an answer of the store. */
const LIMIT_MS = 7000
const PASSWORD = 'correct horse'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-attacks-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function hostOn(storeUrl: string): Promise<Host> {
  const runtimeConfigFile = join(folder, `${crypto.randomUUID()}.toml`)
  await writeFile(runtimeConfigFile, runtimeConfig(storeUrl))
  return startHost({
    manifest: MANIFEST,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: CACHE,
    env: {},
    workers: 1,
    runtimeConfigFile,
  })
}

const readJob = (host: Host) => request(`${host.url}/jobs/${ID}`, 'reads')

/** What a client gets while the store fails: nothing about the store, and when to try again. */
async function expectUnavailable(host: Host): Promise<void> {
  const { status, headers, body } = await readJob(host)
  expect(status).toBe(503)
  expect(headers.get('retry-after')).toBe('2')
  expect(body).toMatchObject({ error: { code: 'store_unavailable' } })
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|WRONGPASS|NOAUTH|horse|\.ts|<html>/)
}

describe.skipIf(noStore !== '' || only.skip)(`a store that misbehaves${noStore}`, only, () => {
  let store: Store
  let line: StoreLine
  let host: Host
  beforeAll(async () => {
    store = await startStore()
    line = await startStoreLine(store.port)
    host = await hostOn(line.url)
  })
  afterAll(async () => {
    await host?.close()
    await line?.close()
    await store?.close()
  })

  it('and answers late is waited for', async () => {
    line.set('slow')
    expect((await readJob(host)).status).toBe(404)
    line.set('passes')
  })

  it.concurrent.for<Line>(['garbage', 'cut', 'silent', 'endless'])(
    '%s: clients get 503 in time, and are served again without a restart',
    async (fault, { expect }) => {
      const faulty = await startStoreLine(store.port)
      const own = await hostOn(faulty.url)
      try {
        expect((await readJob(own)).status).toBe(404)
        faulty.set(fault)
        const started = performance.now()
        await expectUnavailable(own)
        expect(performance.now() - started).toBeLessThan(LIMIT_MS)
        faulty.set('passes')
        // The connection that failed may still be there for a moment.
        await expect.poll(async () => (await readJob(own)).status, { timeout: 6000 }).toBe(404)
      } finally {
        await own.close()
        await faulty.close()
      }
    },
  )

  it('and has a list under the key of a job fails for this job only', async () => {
    await store.command('RPUSH', `ftl:mcp-gateway.default:gateway:job:${ID}`, 'x')
    await expectUnavailable(host)
    const other = ID.replace('4000', '4001')
    expect((await request(`${host.url}/jobs/${other}`, 'reads')).status).toBe(404)
    await store.command('DEL', `ftl:mcp-gateway.default:gateway:job:${ID}`)
  })
})

describe.skipIf(noStore !== '' || only.skip)(`a store with a password${noStore}`, only, () => {
  it.each([
    ['no password', ''],
    ['a wrong password', ':wrong@'],
  ])('that is given %s: clients get 503', async (_, credentials) => {
    const store = await startStore({ password: PASSWORD })
    const host = await hostOn(`redis://${credentials}127.0.0.1:${store.port}`)
    try {
      await expectUnavailable(host)
    } finally {
      await host.close()
      await store.close()
    }
  })
})
