// `[limits]` of a runtime configuration: limits of the host where no option gives another.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type HostOptions, startHost, startHostProcess } from 'ftl-host'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CACHE_DIR, MANIFEST, temporaryFolder } from './fixture.ts'

const LIMITS = `
[limits]
max_header_bytes = 2000
max_body_bytes = 10
`

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeEach(async () => {
  folder = await temporaryFolder()
  await writeFile(join(folder.path, 'runtime.toml'), LIMITS)
})
afterEach(() => folder.remove())

const inProcess = (options: HostOptions) => startHostProcess({ ...options, onEnded: () => {} })

describe.each([
  ['startHost', startHost],
  ['startHostProcess', inProcess],
])('%s', (_, start) => {
  async function statuses(options: Partial<HostOptions>): Promise<number[]> {
    const host = await start({
      manifest: MANIFEST,
      variables: { token: 'secret' },
      runtimeConfigFile: join(folder.path, 'runtime.toml'),
      listen: '127.0.0.1:0',
      stateDir: '',
      cacheDir: CACHE_DIR,
      env: {},
      workers: 1,
      drainMs: 200,
      ...options,
    })
    try {
      const long = await fetch(`${host.url}/echo`, { headers: { long: 'x'.repeat(3000) } })
      const large = await fetch(`${host.url}/echo`, { method: 'POST', body: 'x'.repeat(11) })
      return [long.status, large.status]
    } finally {
      await host.close()
    }
  }

  it('keeps to them', async () => {
    expect(await statuses({})).toEqual([431, 413])
  })

  it('an option wins over them', async () => {
    expect(await statuses({ maxHeaderBytes: 10_000 })).toEqual([200, 413])
  })

  it('a platform does not raise them', async () => {
    expect(await statuses({ platform: 'akamai' })).toEqual([431, 413])
  })
})
