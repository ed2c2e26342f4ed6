// The packages in a registry: published in order, and then a stranger's first commands in an empty folder, with nothing else of ours.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { machineWith } from '../day/machine.ts'
import { Terminal } from '../day/terminal.ts'
import { Transcript } from '../day/transcript.ts'
import { judgeFile } from '../judges/judge.ts'
import { freePort } from '../support/command.ts'
import type { Packed } from '../../scripts/packages/pack-all.ts'
import { packedPackages } from '../support/packed.ts'

const MINUTES = 15 * 60_000

/** Ours are published here only; all others come from the registry of this machine's npm. */
const settings = (folder: string, upstream: string) => `
storage: ${join(folder, 'storage')}
uplinks:
  upstream:
    url: ${upstream}
packages:
  '{ftl,ftl-*,create-ftl-tool}':
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: upstream
log: { type: stdout, format: pretty, level: warn }
`

let folder: string
let packed: Packed[]
let registry: ChildProcess
let terminal: Terminal
const transcript = new Transcript(
  () => undefined,
  (command) => console.log(`$ ${command}`),
)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-published-'))
  packed = (await packedPackages()).packed
  const machine = await machineWith(process.execPath, join(folder, 'machine'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { env: machine.env })
  await writeFile(join(folder, 'registry.yaml'), settings(folder, upstream.toString().trim()))
  const program = judgeFile('verdaccio/bin/verdaccio')
  const config = ['--config', join(folder, 'registry.yaml'), '--listen', `127.0.0.1:${port}`]
  registry = spawn(process.execPath, [program, ...config], { stdio: 'ignore' })
  while (!(await isServed(`${url}-/ping`))) {
    if (registry.exitCode !== null) throw new Error('the registry ended')
    await pause(200)
  }
  // npm publishes nothing without a token, and this registry asks for none.
  await writeFile(join(folder, 'npmrc'), `//127.0.0.1:${port}/:_authToken=none\n`)
  const own = { npm_config_registry: url, npm_config_cache: join(folder, 'cache') }
  const env = { ...machine.env, ...own, npm_config_userconfig: join(folder, 'npmrc') }
  terminal = new Terminal({ ...machine, env }, transcript)
}, MINUTES)
afterEach(() => terminal.close())
afterAll(async () => {
  registry.kill()
  await rm(folder, { recursive: true, force: true })
})

async function isServed(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function typed(line: string): Promise<string> {
  const { code, output } = await terminal.type(line)
  expect(code, `${line}\n${output}`).toBe(0)
  return output
}

it(
  'npm create, npx ftl and npm install work in an empty folder',
  { timeout: MINUTES, retry: 0 },
  async () => {
    for (const { tarball } of packed) await typed(`npm publish ${tarball} --access public`)
    terminal.folder = join(folder, 'empty')
    await mkdir(terminal.folder)
    await typed('npm create --yes ftl-tool@latest greet -- --yes')
    terminal.folder = join(terminal.folder, 'greet')
    expect(await typed('npx --no-install ftl build')).toContain('2 of 2 components built')
    await typed('npm test')
    await typed('npx --no-install ftl add web')
    await typed('npm install ftl-client')
    await typed(
      'node -e "import(\'ftl-client\').then(({ Client }) => process.exit(Client ? 0 : 1))"',
    )
  },
)
