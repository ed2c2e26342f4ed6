// `platform: 'akamai'`: what Akamai Functions would refuse, this host refuses.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeApplication } from '../hostile/support/application.ts'
import { type Fixture, startFixture } from './fixture.ts'

const MIB = 1024 ** 2

describe('a served application', () => {
  let host: Fixture
  beforeAll(async () => {
    host = await startFixture({ platform: 'akamai', workers: 1 })
  })
  afterAll(() => host.close())

  it('takes bodies of 10 MiB, and no longer ones', async () => {
    const post = (bytes: number) =>
      fetch(`${host.url}/echo`, { method: 'POST', body: new Uint8Array(bytes) })
    const fits = await post(10 * MIB)
    expect(fits.status).toBe(200)
    expect((await fits.arrayBuffer()).byteLength).toBe(10 * MIB)
    expect((await post(10 * MIB + 1)).status).toBe(413)
  })

  it('cuts off a response after 10 MiB', async () => {
    const response = await fetch(`${host.url}/flood`)
    let received = 0
    const readAll = async () => {
      for await (const chunk of response.body ?? []) received += chunk.length
    }
    await expect(readAll()).rejects.toThrow()
    expect(received).toBeLessThanOrEqual(10 * MIB)
    expect(received).toBeGreaterThan(9 * MIB)
    expect(host.errors.at(-1)?.message).toContain('longer than 10485760 bytes')
  })

  it('has values of 1 MB, keys of 8 KB, and no writes on a condition', async () => {
    const set = (key: number, value: number) => host.text(`/kv-size?key=${key}&value=${value}`)
    expect(await set(8192, 1_000_000)).toBe('stored')
    expect(await set(8193, 1)).toContain('longer than 8192 bytes')
    expect(await set(1, 1_000_001)).toContain('larger than 1000000 bytes')
    const compares = await fetch(`${host.url}/variable?name=host_conditional_writes`)
    expect(await compares.text()).not.toBe('true')
    expect(compares.ok).toBe(false)
  })

  it('writes 50 times a second', async () => {
    const ends = await host.text('/kv-size?key=1&value=1&times=80')
    expect(ends).toContain('too many writes: 50 a second are allowed')
  })
})

describe('an application that the platform would not accept', () => {
  const start = async (bytes: number, stores: string[]) => {
    const wasm = new Uint8Array(bytes)
    const application = await writeApplication({ large: { wasm, stores } })
    const runtimeConfigFile = join(application.folder, 'runtime.toml')
    await writeFile(runtimeConfigFile, '[key_value_store.sessions]\ntype = "spin"\n')
    try {
      return await startHost({
        manifest: application.manifest,
        listen: '127.0.0.1:0',
        stateDir: '',
        runtimeConfigFile,
        platform: 'akamai',
        env: {},
      })
    } finally {
      await application.remove()
    }
  }

  it('is refused with its size and its largest components', async () => {
    await expect(start(51 * MIB, [])).rejects.toThrow(
      /the components take 51\.0 MiB, and Akamai Functions accepts 50\.0 MiB \(largest: large 51\.0 MiB\)/,
    )
  })

  it('is refused with the label of a store that is not there', async () => {
    await expect(start(100, ['sessions'])).rejects.toThrow(
      /component\.large\.key_value_stores.*"sessions": Akamai Functions has only the store "default"/,
    )
  })
})
