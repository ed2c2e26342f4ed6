import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadApplication } from '../application/load-application.ts'
import type { BuildDone, BuildRequest } from './build-messages.ts'
import { STAND_IN } from './broken-components.ts'
import { DevSession } from './session.ts'

const MANIFEST = `spin_manifest_version = 2
[application]
name = "app"
[component.ours]
source = "dist/ours.wasm"
[component.ours.tool.ftl]
entry = "ours/main.ts"
[component.first]
source = "dist/first.wasm"
[component.first.build]
command = ["exit 3", "exit 4"]
watch = ["rust/*.rs"]
[component.second]
source = "dist/second.wasm"
[component.second.build]
command = ["echo built > second.txt", "mkdir -p dist", "touch dist/second.wasm"]
watch = ["rust/*.rs"]
`

let folder: string
let session: DevSession
let output: string
const builds: string[][] = []

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Ends the build that hangs. */
let interrupt: () => void
let hangs: boolean
/** Happens while a build runs. */
let meanwhile: () => void
/** Why no component can be built. */
let problem: string | undefined

async function build({ targets }: BuildRequest): Promise<BuildDone> {
  const ids = targets.map(({ id }) => id)
  builds.push(ids)
  meanwhile()
  if (hangs) {
    await new Promise((_, reject) => (interrupt = () => reject(new Error('the build was ended'))))
  }
  const inputs = targets.map(({ id, entry }): [string, string[]] => [id, [entry]])
  const failed = ids
    .filter((id) => problem !== undefined && id !== STAND_IN)
    .map((component) => ({ component, problems: [problem ?? ''] }))
  return { type: 'done', inputs, changed: ids, places: [], failed, builtMs: 0, preparedMs: 0 }
}

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ftl-session-')))
  output = ''
  builds.length = 0
  hangs = false
  meanwhile = () => undefined
  problem = undefined
  interrupt = () => undefined
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text)
    return true
  })
  put('spin.toml', MANIFEST)
  put('ours/main.ts', 'export const one = 1\n')
  put('rust/lib.rs', '// one')
  const load = () => loadApplication(folder)
  session = new DevSession({
    application: await load(),
    load,
    builder: { build, interrupt: () => interrupt(), close: () => undefined },
    patienceMs: 50,
    memory: { maxInstanceMemory: undefined, runtimeConfigFile: undefined },
  })
})

afterEach(() => {
  session.close()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const sources = () => Object.keys(session.overrides).filter((id) => session.overrides[id]?.source)

it('a build command that fails at the start prevents no other build, and is shown', async () => {
  expect(await session.buildAll()).toBe(true)
  expect(builds).toEqual([['ours'], [STAND_IN]])
  expect(output).toContain('component "first" could not be built')
  expect(output).toContain('ended with code 3')
  const { first } = session.overrides
  expect(first?.variables?.['dev_problem']).toMatch(/^first does not build: "exit 3" in /)
})

it('a build command that fails after a change does not keep others from being served', async () => {
  const takeUp = vi.fn(async () => undefined)
  const running = session.run(takeUp)
  put('rust/lib.rs', '// two')
  put('ours/main.ts', 'export const one = 2\n')
  await expect.poll(() => takeUp.mock.calls.length).toBe(1)
  expect(builds[0]).toEqual(['ours'])
  expect(takeUp).toHaveBeenCalledWith(session.application, session.overrides)
  expect(sources()).toContain('first')
  session.close()
  await running
})

it('a component is tried again after a change of spin.toml, and served when it is mended', async () => {
  const takeUp = vi.fn(async () => undefined)
  const running = session.run(takeUp)
  put('spin.toml', `${MANIFEST}\n`)
  await expect.poll(() => takeUp.mock.calls.length).toBe(1)
  expect(sources()).toContain('first')
  put('dist/first.wasm', '')
  put('spin.toml', MANIFEST.replace(/command = \[.*\]/, 'command = "exit 0"'))
  await expect.poll(() => takeUp.mock.calls.length).toBe(2)
  expect(sources()).not.toContain('first')
  session.close()
  await running
})

it('the same failure is not shown a second time', async () => {
  await session.buildAll()
  await session.buildAll()
  expect(output.match(/ended with code 3/g)).toHaveLength(1)
  expect(output).toContain('first still does not build')
})

it.each([
  ['the file', 'ours/main.ts'],
  ['a new file beside it', 'ours/more.ts'],
  ['spin.toml', 'spin.toml'],
])('a build that hangs is given up when its author changes %s', async (_, path) => {
  const takeUp = vi.fn(async () => undefined)
  const running = session.run(takeUp)
  hangs = true
  put('ours/main.ts', 'for (;;) {}\n')
  await expect.poll(() => builds.length).toBe(1)
  // This concerns another component.
  put('rust/lib.rs', '// two')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(output).not.toContain('starting again')
  hangs = false
  put(path, path === 'spin.toml' ? `${MANIFEST}\n` : 'export const one = 2\n')
  await expect.poll(() => takeUp.mock.calls.length).toBe(1)
  expect(output).toContain('starting again with the newer change')
  expect(builds.slice(0, 2)).toEqual([['ours'], ['ours']])
  session.close()
  await running
})

it('a package whose installation ends while it is built is found', async () => {
  problem = 'Could not resolve "nope"'
  await session.buildAll()
  const running = session.run(async () => undefined)
  builds.length = 0
  meanwhile = () => {
    meanwhile = () => undefined
    put('ours/node_modules/.package-lock.json', '{}')
  }
  mkdirSync(join(folder, 'ours/node_modules'))
  const ofOurs = () => builds.filter((ids) => ids.includes('ours'))
  await expect.poll(() => ofOurs().length).toBe(2)
  session.close()
  await running
})

it('a build that hangs at the start is given up, too', async () => {
  hangs = true
  const starting = session.buildAll()
  await expect.poll(() => builds.length).toBe(1)
  hangs = false
  put('ours/main.ts', 'export const one = 2\n')
  expect(await starting).toBe(true)
  expect(builds.slice(0, 2)).toEqual([['ours'], ['ours']])
})
