// `ftl activity` against a gateway that runs: lists, follows, shows one request, and says why it may not.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Host, startHost } from 'ftl-host'
import { FTL } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({
    ...{
      manifest: MANIFESTS.application,
      listen: '127.0.0.1:0',
      stateDir: '',
      env: {},
      workers: 1,
    },
    cacheDir: fileURLToPath(new URL('../../.ftl/cache', import.meta.url)),
    variables: { tool_components: 'echo,calculator' },
  })
})
afterAll(() => host?.close())

function start(args: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1', FTL_TOKEN: '' }
  const child = spawn(process.execPath, [FTL, 'activity', ...args], { env })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (bytes: Buffer) => (output.stdout += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (output.stderr += bytes.toString()))
  return { child, output, ended: once(child, 'close').then(([code]) => code as number) }
}

async function run(...args: string[]) {
  const { output, ended } = start(args)
  return { code: await ended, ...output }
}

async function call(name: string, args: object, id: string): Promise<void> {
  const response = await fetch(`${host.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    }),
  })
  await response.text()
}

test('lists requests, filters them, and shows one with its trace', async () => {
  await run('--url', host.url)
  await call('echo', { message: 'hi' }, 'fine-1')
  await call('calculator', { expression: '1/' }, 'wrong-1')
  const all = await run('--url', host.url)
  expect(all.code).toBe(0)
  expect(all.stdout).toMatch(/POST \/mcp tools\/call echo 200 .*mcp-gateway → echo.* id=fine-1/)
  const failed = await run('--url', `${host.url}/mcp`, '--status', 'error', '--json')
  const ids = failed.stdout
    .trim()
    .split('\n')
    .map((each) => (JSON.parse(each) as { id: string }).id)
  expect(ids).toEqual(['wrong-1'])
  await vi.waitFor(
    async () => {
      const one = await run('fine-1', '--url', host.url)
      expect(one.stdout).toMatch(/runs mcp-gateway +\d+\.\d\d ms/)
      expect(one.stdout).toMatch(/calls POST echo\/ 200/)
    },
    { timeout: 20_000 },
  )
  const components = await run('--components', '--url', host.url)
  expect(components.stdout).toMatch(/^COMPONENT +STATE +CALLS/)
  expect(components.stdout).toMatch(/^echo +ready +\d/m)
})

test('follows: each request once, when it has ended, until it is interrupted', async () => {
  const { child, output, ended } = start(['-f', '-n', '0', '--tool', 'echo', '--url', host.url])
  let calls = 0
  await vi.waitFor(
    async () => {
      await call('echo', { message: 'hi' }, `followed-${calls++}`)
      expect(output.stdout).toContain('id=followed-')
    },
    { timeout: 20_000, interval: 300 },
  )
  await call('echo', { message: 'hi' }, 'followed-last')
  await vi.waitFor(() => expect(output.stdout).toContain('id=followed-last'), { timeout: 10_000 })
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(output.stdout.match(/id=followed-last/g)).toHaveLength(1)
  expect(output.stderr).toBe('')
})

test.each([
  ['a request that the host does not have', ['nowhere'], /does not have the request nowhere/, 1],
  ['a status that does not exist', ['--status', 'So So'], /"status" must be/, 1],
  ['a limit that is not a number', ['-n', 'ten'], /whole number from 0 to 1000/, 1],
  ['an id that is followed', ['x', '-f'], /leave out the id/, 1],
])('%s is explained', async (_, args, words, code) => {
  const result = await run(...args, '--url', host.url)
  expect([result.code, result.stdout]).toEqual([code, ''])
  expect(result.stderr).toMatch(words)
  expect(result.stderr).not.toMatch(/ at .*\.ts:/)
})

test('a gateway that refuses, one that is not one, and one that is down', async () => {
  let answer = {
    status: 403,
    body: '{"error":{"code":"activity_forbidden","message":"Not through a proxy."}}',
  }
  const server = createServer((_, response) => response.writeHead(answer.status).end(answer.body))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const refused = await run('--url', url, '--token', 'opensesame')
  expect([refused.code, refused.stderr]).toEqual([1, 'ftl: Not through a proxy.\n'])
  answer = {
    status: 200,
    body: '{"version":1,"host":"other","message":"This host records no requests.","requests":[]}',
  }
  expect((await run('--url', url)).stderr).toBe('ftl: This host records no requests.\n')
  answer = { status: 404, body: 'nothing' }
  expect((await run('--url', url)).stderr).toContain('has no activity (status 404)')
  server.close()
  server.closeAllConnections()
  const down = await run('--url', url)
  expect(down.code).toBe(4)
  expect(down.stderr).toContain('does not answer')
})
