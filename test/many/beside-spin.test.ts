// One embedded host and one real Spin with the same store and the same manifest: they share jobs.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Comfyui, startComfyui } from '../jobs/comfyui.ts'
import { startSpin } from '../on-spin/spin.ts'
import { freePort } from '../support/command.ts'
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

describe.each(STORES)(`a host, a Spin and one $title${missingSpin}`, ({ program }) => {
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

  it('both use the same keys', async () => {
    const keys: string[][] = []
    for (const url of [mixed.host, mixed.spin]) {
      await mixed.store.command('FLUSHALL')
      const id = await startPicture(url, 'lists', { key: 'a key of the caller' })
      const all = (await mixed.store.command('KEYS', '*')) as string[]
      keys.push(all.map((key) => key.replace(id, 'ID').replace(BUCKET, '$1:BUCKET')).sort())
    }
    expect(keys[0]).toContain('job:ID')
    expect(keys[1]).toEqual(keys[0])
  })
})

/** Entries that are found by a part of the time or of the job's id. */
const BUCKET = /^(due:generate-image|gateway:calls|gateway:jobs):.+/

const FILES = '../../fixtures/generate-image'

/** The embedded host gives each component entries of its own, unless the manifest says that they share a store. */
const SHARED = ['mcp-gateway', 'generate-image']
  .map((id) => `\n[component.${id}.tool.ftl]\nshared_stores = ["default"]\n`)
  .join('')

async function startMixed(spin: string, program: string | undefined): Promise<Mixed> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-beside-spin-'))
  const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const manifest = await copyApplication(folder)
    const store = await startStore({ program })
    ends.push(() => store.close())
    const comfyui = await startComfyui(1)
    ends.push(() => comfyui.close())
    const config = await writeRuntimeConfig(store.url)
    ends.push(config.remove)
    const host = await startOne(config.file, comfyui.url, manifest)
    ends.push(() => host.close())
    const running = await startSpin({
      spin,
      manifest,
      port: await freePort(),
      args: ['--runtime-config-file', config.file],
      env: asEnvironment(variablesOf(comfyui.url)),
    })
    ends.push(() => running.close())
    return { host: host.url, spin: running.url, store, comfyui, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Spin wants the files of a component inside the folder of the manifest. */
async function copyApplication(folder: string): Promise<string> {
  const from = dirname(MANIFEST)
  await cp(join(from, FILES), join(folder, 'files'), { recursive: true })
  const text = (await readFile(MANIFEST, 'utf8'))
    .replaceAll(FILES, 'files')
    .replaceAll(/"([^"]+\.wasm)"/g, (_, path: string) => `"${resolve(from, path)}"`)
  const manifest = join(folder, 'spin.toml')
  await writeFile(manifest, text + SHARED)
  return manifest
}
