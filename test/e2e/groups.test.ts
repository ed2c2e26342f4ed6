// The commands of an author and an operator with an application that has a group: `ftl build --group`.
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../contract/mcp/client.ts'
import { freePort, ftl, REPOSITORY, type RunningCommand } from '../support/command.ts'
import { manifestWith, toolSection } from './tools-application.ts'

const MANIFEST = manifestWith(
  'grouped',
  toolSection('echo') + toolSection('calculator'),
  'discovery_timeout_ms = "20000"\ncatalog_ttl_ms = "0"',
)

let folder = ''
beforeAll(async () => {
  // Below the repository, so that the packages of the sources are found.
  folder = await mkdtemp(join(REPOSITORY, '.ftl', 'groups-'))
  for (const name of ['echo', 'calculator']) {
    await cp(join(REPOSITORY, 'components', name, 'src'), join(folder, name), { recursive: true })
  }
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
  const { code, output } = await run('build', '--group', 'basics=echo,calculator')
  expect(code, output).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = (...args: string[]) =>
  ftl([...args, ...(args.includes('--group') ? [] : ['--from', 'spin-grouped.toml'])], {
    cwd: folder,
  })

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = start(...args)
  return { code: await command.exited, output: command.output() }
}

const serve = async (command: string): Promise<RunningCommand & { url: string }> => {
  const listen = `127.0.0.1:${await freePort()}`
  const more = command === 'dev' ? ['--no-bridge', '--no-comfyui'] : ['--quiet']
  const running = start(command, '--listen', listen, '--state-dir', '', ...more)
  await running.printed(command === 'dev' ? listen : 'Available Routes')
  return { ...running, url: `http://${listen}` }
}

async function toolsAt(url: string): Promise<string[]> {
  const { result } = await ask(url, 'tools/list')
  return (result['tools'] as { name: string; description: string }[]).map(
    ({ name, description }) => `${name}: ${description}`,
  )
}

const end = async (running: RunningCommand) => {
  running.signal('SIGTERM')
  await running.exited
}

/** Each start of a command takes half a second, and many seconds on a machine that does other work. */
const PATIENT = { timeout: 120_000 }

describe('ftl test', PATIENT, () => {
  it('checks a tool of a group by its name', async () => {
    const { code, output } = await run('test', 'echo', '--json')
    const { passed, failed } = JSON.parse(output) as { passed: number; failed: number }
    expect({ code, failed }).toEqual({ code: 0, failed: 0 })
    expect(passed).toBeGreaterThan(10)
  })

  it('says which tools a group has', async () => {
    const { code, output } = await run('test', 'basics')
    expect(code).toBe(1)
    expect(output).toContain('basics consists of echo, calculator: name one of them')
  })
})

it('ftl deploy plan names the manifest in its commands', PATIENT, async () => {
  const { output } = await run('deploy', 'plan', 'akamai')
  expect(output).toContain('npx ftl build --from spin-grouped.toml')
  expect(output).toContain('spin aka deploy --from spin-grouped.toml')
  expect(output).toMatch(/basics +\d\.\d MiB/)
})

describe('ftl pin', PATIENT, () => {
  it('pins each tool of a group, and ftl up serves them', async () => {
    await rm(join(folder, 'ftl.lock'), { force: true })
    const { code, output } = await run('pin', '--yes')
    expect(output).toContain('Wrote ftl.lock: 4 components, 2 tools')
    expect(code).toBe(0)
    expect((await run('pin', '--check')).code).toBe(0)
    const up = await serve('up')
    const tools = await toolsAt(up.url)
    await end(up)
    expect(tools).toHaveLength(2)
    expect(up.output()).not.toContain('ftl.lock')
  })

  it('lets no tool run of a group whose file is another one', async () => {
    const file = join(folder, 'dist', 'basics.wasm')
    const before = await readFile(file)
    // A custom section at the end changes nothing but the digest.
    await writeFile(file, Buffer.concat([before, Buffer.from([0, 2, 1, 97])]))
    const up = await serve('up')
    const tools = await toolsAt(up.url)
    const called = await ask(up.url, 'tools/call', { name: 'echo', arguments: { message: 'hi' } })
    await end(up)
    expect(tools).toEqual([])
    expect(called.text).not.toContain('"text":"hi"')
    expect(up.output()).toContain('component basics: its file is not the one in ftl.lock')
    await writeFile(file, before)
  })

  it('refuses an application whose tools are inside its gateway', async () => {
    await cp(join(folder, 'spin-grouped.toml'), join(folder, 'inside.toml'))
    const text = await readFile(join(folder, 'inside.toml'), 'utf8')
    const inside = text.replaceAll('component.basics.tool', 'component.mcp-gateway.tool')
    await writeFile(join(folder, 'inside.toml'), inside.replace('entry = "ftl-gateway"', ''))
    const command = ftl(['pin', '--from', 'inside.toml', '--yes'], { cwd: folder })
    expect(await command.exited).toBe(1)
    expect(command.output()).toContain('inside.toml has its tools inside the gateway')
  })
})

it(
  'ftl dev builds a group again when a source of a tool changes, and names what is wrong',
  PATIENT,
  async () => {
    await rm(join(folder, 'ftl.lock'), { force: true })
    const dev = await serve('dev')
    try {
      expect(await toolsAt(dev.url)).toHaveLength(2)
      const file = join(folder, 'calculator', 'main.ts')
      const source = await readFile(file, 'utf8')
      await writeFile(file, source.replace(/(description:\s*)'[^']+'/, "$1'Changed by the test'"))
      await expect
        .poll(() => toolsAt(dev.url), { timeout: 60_000 })
        .toEqual(expect.arrayContaining([expect.stringContaining('Changed by the test')]))
      await appendFile(file, '\nthis is not code\n')
      await dev.printed('"basics" could not be built', 60_000)
      expect(dev.output()).toContain('calculator/main.ts')
    } finally {
      await end(dev)
    }
  },
)
