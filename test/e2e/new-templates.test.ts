import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSimulator } from 'ftl-comfyui/simulator'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { rustMissing } from '../support/rust-components.ts'
import { ftl, REPOSITORY } from '../support/command.ts'
import { callTool, rpc } from '../support/rpc.ts'

const run = promisify(execFile)
const VITEST = join(REPOSITORY, 'node_modules', 'vitest', 'vitest.mjs')

// Rust's tools are not among the dependencies.
const missing = await rustMissing()
const rust = missing === undefined
if (missing) test.skip(`the template rust: ${missing}`)

let folder: string
let application: string
let host: Host
const simulator = await startSimulator({ port: 0, renderSeconds: 0.2 })

/** Runs the command to its end. */
async function command(args: string[], cwd: string): Promise<string> {
  const running = ftl(args, { cwd })
  const code = await running.exited
  if (code !== 0) throw new Error(`ftl ${args.join(' ')} ended with ${code}:\n${running.output()}`)
  return running.output()
}

beforeAll(async () => {
  // Inside the repository: the packages are found without an installation.
  folder = await mkdtemp(join(REPOSITORY, 'dist', 'new-templates-'))
  application = join(folder, 'greeter')
  await command(['new', 'greeter', '--application', '--yes', '--no-install'], folder)
  await symlink(join(REPOSITORY, 'node_modules'), join(application, 'node_modules'))
  for (const template of ['tools', 'job', 'stream', 'workflow']) {
    await command(['new', `a-${template}`, '--template', template], application)
  }
  if (rust) {
    await command(['new', 'a-rust', '--template', 'rust'], application)
  }
  await command(['build'], application)
  host = await startHost({
    manifest: application,
    listen: '127.0.0.1:0',
    stateDir: join(folder, 'state'),
    env: {},
    variables: { comfyui_url: simulator.url },
  })
}, 600_000)
afterAll(async () => {
  await host?.close()
  await simulator.close()
  await rm(folder, { recursive: true, force: true })
})

describe('what a template makes', () => {
  it.each(['greeter', 'a-tools', 'a-job', 'a-stream', 'a-workflow'])(
    'has tests that pass: %s',
    async (name) => {
      const { stdout } = await run(process.execPath, [VITEST, 'run', `tools/${name}`], {
        cwd: application,
        env: { ...process.env, NO_COLOR: '1', VITEST: undefined },
      })
      expect(stdout).toMatch(/Tests +[1-9]\d* passed \(/)
    },
    60_000,
  )

  it.runIf(rust)(
    'has tests that pass: a-rust',
    async () => {
      const { stdout } = await run('cargo', ['test'], { cwd: join(application, 'tools/a-rust') })
      expect(stdout).toContain('test result: ok. 2 passed')
    },
    600_000,
  )

  it('is listed by the gateway', async () => {
    const names = async () => {
      const { result } = await rpc(host.url, 'tools/list')
      return (result?.['tools'] as { name: string }[]).map(({ name }) => name)
    }
    // A component that has just been built may take longer for its first answer than a list waits.
    await expect
      .poll(names, { timeout: 20_000 })
      .toEqual(
        expect.arrayContaining([
          'greeter',
          'a_tools_to_fahrenheit',
          'a_tools_to_celsius',
          'a_job',
          'a_stream',
          'a_workflow',
        ]),
      )
  })

  const calls: [name: string, args: unknown, text: string][] = [
    ['greeter', { name: 'Ada' }, 'Hello, Ada!'],
    ['a_tools_to_fahrenheit', { celsius: 100 }, '212'],
    ['a_job', { seconds: 1 }, 'Boiled for 1 s'],
    ['a_stream', { words: 'one two three' }, 'Read 3 words'],
  ]
  if (rust) calls.push(['a_rust', { name: 'Ada' }, 'Hello, Ada!'])
  it.each(calls)('answers through the gateway: %s', async (name, args, text) => {
    const { result } = await callTool(host.url, name, args)
    expect(result?.['isError'] ?? false).toBe(false)
    expect(result?.['content']).toMatchObject([{ type: 'text', text }])
  })

  it('has its prompt and its resource at the gateway', async () => {
    const prompt = { name: 'a_tools_explain', arguments: { celsius: '21' } }
    expect((await rpc(host.url, 'prompts/get', prompt)).result).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text' } }],
    })
    expect(
      (await rpc(host.url, 'resources/read', { uri: 'a-tools://scales' })).result,
    ).toMatchObject({
      contents: [{ mimeType: 'application/json' }],
    })
  })

  it('paints with ComfyUI: a workflow', async () => {
    const { result } = await callTool(host.url, 'a_workflow', { prompt: 'a lighthouse', seed: 7 })
    const { resultUrl, seed } = result?.['structuredContent'] as Record<string, unknown>
    expect(seed).toBe(7)
    const picture = await fetch(String(resultUrl))
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })
})
