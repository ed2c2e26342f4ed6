// One embedded host and one real Spin with the same store, each with its own runtime configuration: they share jobs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Comfyui, startComfyui } from '../jobs/comfyui.ts'
import { type RunningSpin, startSpin } from '../on-spin/spin.ts'
import { freePort } from '../support/command.ts'
import { recordRequests } from '../support/internal-requests.ts'
import { asEnvironment } from '../support/scripts.ts'
import { readJob, request, startPicture } from './clients.ts'
import { startStore, STORES, type Store } from './store.ts'
import { as, MANIFEST, startOne, variablesOf, writeRuntimeConfig } from './world.ts'

const SPIN = process.env['FTL_TEST_SPIN']
const missingSpin = SPIN === undefined ? ' (FTL_TEST_SPIN names no Spin)' : ''

interface Mixed {
  host: string
  spin: string
  store: Store
  comfyui: Comfyui
  close(): Promise<void>
}

describe.for(STORES)(`a host, a Spin and one $title${missingSpin}`, ({ program }) => {
  const it = test.skipIf(program === undefined || SPIN === undefined)
  let mixed: Mixed

  beforeAll(async () => {
    mixed = await startMixed(SPIN ?? '', program)
    for (const url of [mixed.host, mixed.spin]) await request(`${url}/tools`, 'reads')
  }, 600_000)
  afterAll(() => mixed?.close())

  /** Each as the one that starts a job, and the other. */
  const both = () => [[mixed.host, mixed.spin] as const, [mixed.spin, mixed.host] as const]

  it('a job that one started is read, waited for and shown by the other', async () => {
    for (const [one, other] of both()) {
      const id = await startPicture(one, 'reads')
      expect((await readJob(other, 'reads', id)).body).toMatchObject({ id, status: 'working' })
      const headers = { ...as('reads'), accept: 'application/x-ndjson' }
      const events = await (await fetch(`${other}/jobs/${id}/events`, { headers })).text()
      expect(events).toContain('"type":"result"')
      for (const url of [one, other]) {
        expect((await readJob(url, 'reads', id)).body).toMatchObject({ id, status: 'completed' })
        const output = await fetch(`${url}/outputs/${id}.png`, { headers: as('reads') })
        expect(output.headers.get('content-type')).toBe('image/png')
        await output.arrayBuffer()
      }
      expect(mixed.comfyui.taken.filter((taken) => taken === id)).toHaveLength(1)
    }
  })

  it('a job that one started is cancelled by the other', async () => {
    for (const [one, other] of both()) {
      const id = await startPicture(one, 'races')
      const cancelled = await request(`${other}/jobs/${id}`, 'races', { method: 'DELETE' })
      expect(cancelled.body).toMatchObject({ id, status: 'cancelled' })
      expect((await readJob(one, 'races', id)).body).toMatchObject({ status: 'cancelled' })
    }
  })

  it('an idempotency key that was used on one returns its job on the other', async () => {
    for (const [one, other] of both()) {
      const call = { key: crypto.randomUUID(), seed: 4711 }
      const id = await startPicture(one, 'repeats', call)
      expect(await startPicture(other, 'repeats', call)).toBe(id)
      const reused = startPicture(other, 'repeats', { ...call, seed: 4712 })
      await expect(reused).rejects.toThrow('idempotency_key_reuse')
      expect(mixed.comfyui.taken.filter((taken) => taken === id)).toHaveLength(1)
    }
  })

  it('the catalog that Spin has stored is the one of the host', async () => {
    await request(`${mixed.spin}/tools`, 'lists')
    const { requests, value } = await recordRequests(() => request(`${mixed.host}/tools`, 'lists'))
    expect(JSON.stringify(value.body)).toContain('generate_image')
    expect(requests).toEqual([])
  })

  it('both use the same keys, and no others', async () => {
    const keys = async () => (await mixed.store.command('KEYS', '*')) as string[]
    const groupsOf = (all: readonly string[]) =>
      [
        ...new Set(
          all.map((key) => key.replace(/[0-9a-f]{8}-[0-9a-f-]{27,}.*|[0-9a-f]{16,}.*|\d+.*/g, '…')),
        ),
      ].sort()
    await mixed.store.command('FLUSHALL')
    await startPicture(mixed.host, 'lists')
    const ofHost = groupsOf(await keys())
    await mixed.store.command('FLUSHALL')
    await startPicture(mixed.spin, 'lists')
    expect(groupsOf(await keys())).toEqual(ofHost)
    expect(ofHost.length).toBeGreaterThan(1)
  })
})

async function startMixed(spin: string, program: string | undefined): Promise<Mixed> {
  const [store, comfyui] = await Promise.all([startStore({ program }), startComfyui(1)])
  const config = await writeRuntimeConfig(store.url)
  const host = await startOne(config.file, comfyui.url)
  const running: RunningSpin = await startSpin({
    spin,
    manifest: MANIFEST,
    port: await freePort(),
    args: ['--runtime-config-file', config.file],
    env: asEnvironment(variablesOf(comfyui.url)),
  })
  return {
    host: host.url,
    spin: running.url,
    store,
    comfyui,
    async close() {
      await Promise.all([host.close(), running.close()])
      await Promise.all([store.close(), comfyui.close(), config.remove()])
    },
  }
}
