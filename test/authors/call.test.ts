// What an author sees when a call hits a mistake: the log has the line and what to do. The client learns only that the
// call failed, and sees no internals.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, ftl, REPOSITORY, type RunningCommand } from '../support/command.ts'
import { callTool } from '../support/rpc.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

const CALL_TIMEOUT_MS = 4000
const SOURCE = readFileSync(new URL('./app/kitchen.ts', import.meta.url), 'utf8')
const component = (id: string, more = '') => `[[trigger.http]]
route = { private = true }
component = "${id}"
[component.${id}]
source = "${id}.wasm"
${more}
[component.${id}.tool.ftl]
entry = "src/kitchen.ts"
`
const MANIFEST = `spin_manifest_version = 2
[application]
name = "authors"
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = "${join(REPOSITORY, 'dist/mcp-gateway.wasm')}"
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "kitchen,open"
call_timeout_ms = "${CALL_TIMEOUT_MS}"
${component('kitchen')}
${component('open', 'key_value_stores = ["default"]\nallowed_outbound_hosts = ["http://*.spin.internal"]')}`

let workshop: Workshop
let gateway: RunningCommand
let url: string

beforeAll(async () => {
  workshop = await openWorkshop({ 'spin.toml': MANIFEST, 'src/kitchen.ts': SOURCE })
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const args = ['up', '--build', '--listen', `127.0.0.1:${port}`, '--max-blocking-ms', '2500']
  gateway = ftl(args, { cwd: workshop.folder })
  await gateway.printed('Serving http://')
})
afterAll(async () => {
  gateway.signal('SIGTERM')
  await gateway.exited
  await workshop.close()
})

/** The place of a word in the source of the tools. */
function placeOf(words: string): string {
  const at = SOURCE.indexOf(words)
  expect(at).toBeGreaterThan(0)
  return `src/kitchen.ts:${SOURCE.slice(0, at).split('\n').length}:`
}

/** The log of a tool's failure, up to the line of its request. */
async function logOf(name: string): Promise<string> {
  const pattern = new RegExp(`tool ${name} failed: [^]*? POST /mcp ${name} `)
  await gateway.printed(pattern, 10_000)
  return pattern.exec(gateway.output())?.[0] ?? ''
}

async function failedCall(name: string): Promise<string> {
  const answer = await callTool(url, name)
  expect(answer.error).toMatchObject({ message: 'Tool error', data: { tool: name } })
  // No internal messages or paths.
  expect(JSON.stringify(answer)).not.toMatch(/kitchen\.ts|4711|spin\.toml|Error:/)
  return logOf(name)
}

type Row = [title: string, tool: string, ...words: string[]]

describe('an answer that cannot be sent is named, with what to return:', () => {
  it.each<Row>([
    ['[author:unsendable]', 'number', 'returned a number', 'Return a string, an object, nothing'],
    ['[author:no-json]', 'circular', 'cannot be written as JSON', 'Leave out what is circular'],
    ['[author:response-object]', 'response', 'returned a Response', 'Return a string, an object'],
    ['[author:breaks-promise]', 'breaks', 'does not match its outputSchema', 'quotient: '],
  ])('%s', async (_, tool, ...words) => {
    const log = await failedCall(tool)
    for (const each of [`tool "${tool}"`, ...words]) expect(log).toContain(each)
    expect(log).not.toMatch(/ at .*sdk\/src/)
  })
})

describe('a failure is logged with its line:', () => {
  it.each<Row>([
    ['[author:throws]', 'throws', "new Error('the cellar", 'the cellar is locked, key 4711'],
    [
      '[author:process-in-call]',
      'env',
      "process.env['API_KEY']",
      'process is not defined',
      'context.variables.get',
    ],
    [
      '[author:buffer-in-call]',
      'buffer',
      "Buffer.from('a')",
      'Buffer is not defined',
      'use Uint8Array',
    ],
    [
      '[author:relative-fetch]',
      'relative',
      "fetch('/api')",
      'fetch("/api")',
      'give the whole address',
    ],
    [
      '[author:variable-missing]',
      'variable',
      "require('api_key')",
      '"api_key" is not set',
      '[component.kitchen.variables]',
      'api_key = "{{ api_key }}"',
    ],
    [
      '[author:host-not-allowed]',
      'host',
      "fetch('https://api.example.com/x')",
      '[component.kitchen]',
      'allowed_outbound_hosts = ["https://api.example.com"]',
    ],
    [
      '[author:call-not-allowed]',
      'neighbour',
      "callTool('open/number'",
      '[component.kitchen]',
      'allowed_outbound_hosts = ["http://*.spin.internal"]',
    ],
  ])('%s', async (_, tool, source, ...words) => {
    const log = await failedCall(tool)
    for (const each of [placeOf(source), ...words]) expect(log).toContain(each)
  })
})

it('[author:store-not-allowed]', async () => {
  const log = await failedCall('store')
  expect(log).toContain('the key-value store "default" is not open')
  expect(log).toContain('[component.kitchen]\n[kitchen]   key_value_stores = ["default"]')
})

it('[author:global-fetch]', async () => {
  await failedCall('global')
  await gateway.printed(
    '[kitchen] may not send requests to https://api.example.org; add "https://api.example.org" to its allowed_outbound_hosts',
  )
})

it('[author:no-such-tool]', async () => {
  const answer = await callTool(url, 'open__stranger')
  expect(answer.error).toBeDefined()
  await gateway.printed(
    /tool stranger failed: .*there is no tool "kitchen\/nope".*"component\/tool"/,
  )
  await gateway.printed(placeOf("callTool('kitchen/nope'"))
})

it('[author:throws-object]', async () => {
  await failedCall('throws-object')
  await gateway.printed('tool throws-object failed: {"code":42} was thrown')
})

it('[author:out-of-memory]', async () => {
  await failedCall('exhausts')
  await gateway.printed(/tool exhausts failed: .*out of memory\. .*--max-instance-memory/)
  await gateway.printed(placeOf('all.push('))
})

it('a ToolError after progress reaches a client that follows, with its data', async () => {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'refuses-late', arguments: {}, _meta: { progressToken: 't' } },
    }),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const messages = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
  expect(messages).toContainEqual(
    expect.objectContaining({ method: 'notifications/progress' }) as unknown,
  )
  expect(messages.at(-1)).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ text: 'too late' }], _meta: { kind: 'oven' } },
  })
})

it('[author:never-settles]', async () => {
  expect((await callTool(url, 'settles')).error).toMatchObject({ message: 'Tool error' })
  await gateway.printed(
    /\[kitchen\] .*waits for something that never happens.*a promise that is never settled/,
  )
})

it('[author:endless-loop]', async () => {
  expect((await callTool(url, 'forever')).error).toBeDefined()
  await gateway.printed(
    /\[kitchen\] (.*kept its thread for \d+ ms: it never waits .*maxBlockingMs|JavaScript ran for more than 4000 ms .*Wait now and then.*compute_limit_ms)/,
  )
})

it('[author:too-slow]', async () => {
  const answer = await callTool(url, 'slow')
  expect(JSON.stringify(answer.error)).toContain(`no answer within ${CALL_TIMEOUT_MS} ms`)
  await gateway.printed(
    /kitchen\/slow: it gave no answer within \d+ ms; make it a job, or raise call_timeout_ms/,
  )
})

it('[author:too-large]', async () => {
  const answer = await callTool(url, 'large')
  expect(JSON.stringify(answer.error)).toContain('more than 8388608 bytes')
  await gateway.printed(/kitchen\/large.*more than 8388608 bytes; .*resourceLink/)
})

it('[author:taken-name]', async () => {
  const response = await fetch(`${url}/health/components`)
  expect(JSON.stringify(await response.json())).toMatch(
    /"name":"number"[^}]*"keptBy":"kitchen"[^}]*"listedAs":"open__number"/,
  )
})

it('[author:unheard-failure] the caller hears nothing of it, the log has it with the line', async () => {
  expect((await callTool(url, 'behind')).result).toMatchObject({ content: [{ text: 'ok' }] })
  await gateway.printed(/Uncaught \(in promise\) .*"default" is not open/)
  await gateway.printed(placeOf("kv.set('behind'"))
})

it('what a handler does not wait for is done all the same, unless it begins after a timer', async () => {
  const read = async () => (await callTool(url, 'open__read')).result?.['structuredContent']
  expect((await callTool(url, 'open__behind')).result).toBeDefined()
  expect((await callTool(url, 'open__later')).result).toBeDefined()
  await expect.poll(read).toMatchObject({ behind: true })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await read()).toEqual({ behind: true, later: false })
})
