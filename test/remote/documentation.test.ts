// The examples of docs/remote.md, as they are printed.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, REPOSITORY } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { CANNOT_RUN, startRemote } from './application.ts'

const text = await readFile(new URL('../../docs/remote.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )

let stateDir: string
let ports: [gateway: number, bridge: number]
const running: ReturnType<typeof run>[] = []
beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'ftl-docs-'))
  await writeFile(join(stateDir, '.mcp.json'), blocks('json config')[0] ?? '')
  ports = [await freePort(), await freePort()]
})
afterAll(async () => {
  for (const { stop } of running) await stop()
  await rm(stateDir, { recursive: true, force: true })
})

/** The lines of a block in a shell, with free ports in place of the usual ones. */
function run(code: string) {
  const [gateway, bridge] = ports
  const line = code
    .replace('.mcp.json', join(stateDir, '.mcp.json'))
    .replace('@remote-servers.json', `@${join(stateDir, 'remote-servers.json')}`)
    .replace(
      'bridge-stdio',
      `bridge-stdio --listen 127.0.0.1:${bridge} --out ${join(stateDir, 'remote-servers.json')}`,
    )
    .replace('ftl up', `ftl up --listen 127.0.0.1:${gateway} --state-dir ${stateDir}`)
    .replaceAll(/ftl (tools|call)(.*)/g, `ftl $1$2 --url http://127.0.0.1:${gateway}/mcp`)
  const env = { ...process.env, NO_COLOR: '1' }
  // A group of its own, to be ended as Ctrl-C in a terminal does.
  const child = spawn('sh', ['-c', line], { cwd: REPOSITORY, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const exited = new Promise((resolve) => child.on('close', resolve))
  const stop = async () => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT')
    await exited
  }
  return { output: () => output, exited, stop }
}

it.skipIf(CANNOT_RUN || process.platform === 'win32')(
  'trying it',
  async () => {
    const [bridge, gateway, calls] = blocks('sh')
    for (const code of [bridge, gateway]) {
      const started = run(code ?? '')
      running.push(started)
      // The printed command builds first.
      await expect.poll(started.output, { timeout: 180_000 }).toContain('Serving')
    }
    const called = run(calls ?? '')
    expect(await called.exited, called.output()).toBe(0)
    expect(called.output()).toMatch(/^read_text_file /m)
    expect(called.output()).toMatch(/^echo /m)
    expect(called.output()).not.toMatch(/^write_file /m)
    expect(called.output()).toContain('# Tools of other MCP servers')
  },
  400_000,
)

it.skipIf(CANNOT_RUN)('the variable: the hosts that are not allowed are reported', async () => {
  const [variable = ''] = blocks('json')
  // Another program may be at the port of the page.
  const application = await startRemote(variable.replace('8765', String(await freePort())))
  const problems = await application.problems()
  await application.close()
  expect(problems).toEqual([
    expect.stringMatching(/^server "files": cannot be reached/),
    'server "tracker": cannot be reached; is its host in allowed_outbound_hosts?',
  ])
})

it('the hosts are those of spin.toml, and one more', async () => {
  const manifest = await readFile(MANIFESTS.application, 'utf8')
  const [, component = ''] = manifest.split('[component.remote]')
  const [, shipped = '?'] = /^allowed_outbound_hosts = \[(.*)\]$/m.exec(component) ?? []
  expect(blocks('toml component')).toEqual([
    `allowed_outbound_hosts = [${shipped}, "https://mcp.example"]\n`,
  ])
})
