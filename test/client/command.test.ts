// `ftl tools` and `ftl call`, with an exit code for each kind of trouble.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { FTL, ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { descendants, processes } from '../support/processes.ts'
import { misbehaving, official } from './servers.ts'

const runFile = promisify(execFile)
/** Runs a command in a terminal. */
const SCRIPT = '/usr/bin/script'

let application: TestApplication
let folder: string
let config: string
beforeAll(async () => {
  application = await startApplication({ manifest: MANIFESTS.application })
  folder = await mkdtemp(join(tmpdir(), 'ftl-command-'))
  config = join(folder, '.mcp.json')
  await writeFile(join(folder, 'note.txt'), 'Buy paper')
  const mcpServers = {
    files: { ...official('filesystem', '${env:NOTES}'), deniedTools: ['write_file'] },
    good: misbehaving(),
    broken: misbehaving('ends at once'),
    refusing: misbehaving('answers with an error'),
    silent: misbehaving('never answers a call'),
    garbled: misbehaving('answers what is no JSON'),
  }
  await writeFile(config, JSON.stringify({ mcpServers }))
})
afterAll(async () => {
  await application.close()
  await rm(folder, { recursive: true, force: true })
})

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

const run = (...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', NOTES: folder }
    execFile(process.execPath, [FTL, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })

describe('with the gateway', () => {
  const url = () => ['--url', `${application.url}/mcp`]

  it('tools are listed', async () => {
    const { code, stdout } = await run('tools', ...url())
    expect(stdout).toMatch(/^echo +Returns the message it is given/m)
    expect(code).toBe(0)
  })

  it('a tool is called, with numbers where its schema has them', async () => {
    const echoed = await run('call', 'echo', 'message=Hello', ...url())
    expect(echoed).toEqual({ code: 0, stdout: 'Hello\n', stderr: '' })
    const json = await run('call', 'calculator', '{"expression":"2*(3+4)^2"}', '--json', ...url())
    expect(JSON.parse(json.stdout)).toMatchObject({ content: [{ type: 'text', text: '98' }] })
  })

  it('a picture is waited for', async () => {
    const { code, stdout } = await run('call', 'generate_image', 'prompt=A lighthouse', ...url())
    expect(stdout).toMatch(/\/outputs\/[\w-]+\.png/)
    expect(code).toBe(0)
  })

  it('calls the application of this folder unless an address is given', async () => {
    const { stdout } = await run('call', '--help')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'URL of one server (the application of this folder)',
    )
  })
})

describe('with a configuration', () => {
  it('every server that works is listed, and the exit code tells of the others', async () => {
    const { code, stdout, stderr } = await run('tools', '--config', config)
    expect(stdout).toMatch(/^files\n {2}read_file /m)
    expect(stdout).not.toContain('write_file')
    expect(stderr).toMatch(/"broken" ended with code 3.*There is no licence/s)
    expect(code).toBe(4)
  })

  it('a server of the folder’s .mcp.json is called by its name', async () => {
    const call = ['call', 'read_text_file', `path=${folder}/note.txt`]
    const { code, stdout } = await run(...call, '--server', 'files')
    expect(stdout).toBe('Buy paper\n')
    expect(code).toBe(0)
  })

  it.each([
    { server: 'good', tool: 'say', code: 0 },
    { server: 'files', tool: 'write_file', code: 1, says: 'is denied' },
    { server: 'nobody', tool: 'say', code: 1, says: 'has no server "nobody"; it has: files, good' },
    { server: 'broken', tool: 'say', code: 4, says: 'There is no licence' },
    {
      server: 'files',
      tool: 'read_text_file',
      args: ['path=/etc/passwd'],
      code: 5,
      says: 'denied',
    },
    { server: 'refusing', tool: 'say', code: 6, says: 'out of paper' },
    { server: 'silent', tool: 'say', code: 7, says: 'did not answer', args: ['--timeout', '4'] },
    { server: 'garbled', tool: 'say', code: 8, says: 'not a message' },
  ])('$server, $tool: exit code $code', async ({ server, tool, code, says = '', args = [] }) => {
    const outcome = await run('call', tool, ...args, '--server', server)
    expect(outcome.stderr).toContain(says)
    expect(outcome.code).toBe(code)
  })

  it('a text keeps its bytes in a pipe, and a terminal does not obey it', async () => {
    const text = 'red \x1b]52;c;aGk=\x07\x1b[2J'
    const { stdout } = await run('call', 'say', `text=${text}`, '--server', 'good')
    expect(stdout).toContain(text)
    if (!existsSync(SCRIPT)) return
    const command = `'${process.execPath}' '${FTL}' call say --server good --args '${JSON.stringify({ text })}'`
    const terminal = await runFile(SCRIPT, ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, NOTES: folder },
    })
    expect(terminal.stdout).toContain('red \\x1b]52;c;aGk=\\x07\\x1b[2J')
    expect(terminal.stdout).not.toContain('\x1b]52')
  })

  it('an error is JSON where JSON is asked for', async () => {
    const { stdout } = await run('call', 'say', '--server', 'refusing', '--json')
    const error = { kind: 'rpc', code: -32099, message: 'out of paper' }
    expect(JSON.parse(stdout)).toEqual({ error })
  })

  it('an address where no server listens is exit code 4', async () => {
    const { code, stderr } = await run('tools', '--url', 'http://127.0.0.1:9/mcp')
    expect(stderr).toMatch(/cannot be reached.*\nCheck the address/)
    expect(code).toBe(4)
  })

  it('a variable that is not set is named with its field', async () => {
    const servers = { a: { command: 'x', args: ['${NO_SUCH_VARIABLE}'] } }
    const path = join(folder, 'unset.json')
    await writeFile(path, JSON.stringify({ servers }))
    const { code, stderr } = await run('tools', '--config', path)
    const why = 'servers.a.args[0]: the environment variable NO_SUCH_VARIABLE is not set'
    expect(stderr).toContain(why)
    expect(code).toBe(1)
  })

  it('Ctrl-C ends the call and the server', async () => {
    const command = ftl(['call', 'say', '--server', 'silent', '--config', config], {
      env: { NOTES: folder },
    })
    await expect.poll(() => descendants(command.pid), { timeout: 10_000 }).not.toEqual([])
    await sleep(700)
    const started = await descendants(command.pid)
    command.signal('SIGINT')
    expect(await command.exited).toBe(130)
    const left = (await processes()).map(({ pid }) => pid)
    for (const { pid } of started) expect(left).not.toContain(pid)
  })
})
