// docs/deploying.md: Spin can compile before the first start, because it compiles before it listens and keeps the result.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { startSpin } from './spin.ts'

const SPIN = process.env['FTL_TEST_SPIN']
const missingSpin = SPIN === undefined ? ' (FTL_TEST_SPIN names no Spin)' : ''

/** An address that no machine has. @see https://www.rfc-editor.org/rfc/rfc5737 */
const NOWHERE = '192.0.2.1:1'

const MANIFEST = `spin_manifest_version = 2

[application]
name = "ftl-test-compiles-first"

[[trigger.http]]
route = "/..."
component = "echo"

[component.echo]
source = ${JSON.stringify(join(dirname(MANIFESTS.application), 'dist/echo.wasm'))}
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-compiles-first-'))
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
  await writeFile(
    join(folder, 'cache.toml'),
    `[cache]\ndirectory = ${JSON.stringify(join(folder, 'cache'))}\n`,
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Names of what Wasmtime has compiled. Its notes on how often they were used, and on what it removes, have a dot in theirs. */
async function compiled(): Promise<string[]> {
  const entries = await readdir(join(folder, 'cache'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.includes('.'))
    .map(({ name }) => name)
}

/** @returns what Spin printed, and its exit code. */
async function upAtNowhere(spin: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(
    spin,
    ['up', '--from', join(folder, 'spin.toml'), '--listen', NOWHERE, '--state-dir', ''],
    {
      env: { ...process.env, WASMTIME_CACHE_FILE: join(folder, 'cache.toml') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

it.skipIf(SPIN === undefined)(
  `a start at an address of no machine compiles, ends, and leaves nothing to compile for the next${missingSpin}`,
  { timeout: 600_000 },
  async () => {
    const { code, output } = await upAtNowhere(SPIN ?? '')
    expect(code, output).toBe(1)
    expect(output).toContain(`Unable to listen on ${NOWHERE}`)
    const before = await compiled()
    expect(before).toHaveLength(1)

    const application = await startSpin({
      spin: SPIN ?? '',
      manifest: join(folder, 'spin.toml'),
      port: await freePort(),
      env: { WASMTIME_CACHE_FILE: join(folder, 'cache.toml') },
    })
    await application.close()
    expect(await compiled()).toEqual(before)
  },
)
