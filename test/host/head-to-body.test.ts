// Between the head of a response and its body, the gateway must not ask the host for anything. A server without
// TCP_NODELAY sends what is written later as a second segment, and waits for the client to acknowledge the first: 40 ms
// with delayed acknowledgements. Spin is such a server.
import { dirname, join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUEST_CALLS_HOOK, type GuestCall } from '../support/guest-calls-hook.ts'
import { recordGuestCalls } from '../support/guest-calls.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { CLIENTS } from '../../bench/sender.ts'

let host: Host
beforeAll(async () => {
  host = await startHost({
    manifest: MANIFESTS.rest,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    env: {},
    workers: 1,
    // In a component, as on Spin: this is about what it writes first.
    nativeGateway: undefined,
    workerImports: [GUEST_CALLS_HOOK],
  })
  await send(CLIENTS.plain('tools/list', {}))
})
afterAll(() => host.close())

interface Shot {
  path: string
  body?: string
  headers?: Record<string, string>
}

async function send({ path, body, headers }: Shot): Promise<string> {
  const response = await fetch(host.url + path, {
    ...(body !== undefined && { method: 'POST', body }),
    headers: { 'content-type': 'application/json', ...headers },
  })
  return response.text()
}

/** What the engine itself asks to write the bytes it was given. */
const ENGINE =
  /output-stream\.(subscribe|check-write|write|blocking-flush)$|#poll$|resource-drop\](pollable|output-stream)$|outgoing-body\.finish$|clock_time_get$/

const HEAD = /response-outparam\.set$/
const FINISH = /outgoing-body\.finish$/

const WRITE = /output-stream\.write$/

/**
 * Calls of the guest that answered last, which is the gateway, from the head to the end of the body. When the engine has
 * written the body right before the head, that is the first.
 */
function fromHeadToEnd(calls: readonly GuestCall[]): string[] {
  const head = calls.findLastIndex(({ call }) => HEAD.test(call))
  const guest = calls[head]?.guest
  const ofGuest = (call: GuestCall) => call.guest === guest
  const after = calls.slice(head + 1).filter(ofGuest)
  const end = after.findIndex(({ call }) => FINISH.test(call))
  const before = calls.slice(0, head).filter(ofGuest).at(-1)
  const isWritten = before !== undefined && WRITE.test(before.call)
  return [...(isWritten ? [before] : []), ...after.slice(0, end + 1)].map(({ call }) => call)
}

const CALL = { name: 'echo', arguments: { message: 'Hello' } }
const READ = /key-value|variables/

/** Calls of the guest that answered last, from its last read of a variable or a store to the head. */
function fromReadToHead(calls: readonly GuestCall[]): string[] {
  const head = calls.findLastIndex(({ call }) => HEAD.test(call))
  const guest = calls[head]?.guest
  const before = calls.slice(0, head).filter((call) => call.guest === guest)
  const read = before.findLastIndex(({ call }) => READ.test(call))
  expect(read).toBeGreaterThanOrEqual(0)
  return before.slice(read + 1).map(({ call }) => call)
}

const INVOKE = JSON.stringify({ tool: 'echo', params: { message: 'Hello' } })

test.each<[string, Shot, string]>([
  ['tools/call of a plain client', CLIENTS.plain('tools/call', CALL), 'Hello'],
  ['tools/call of 2025-11-25', CLIENTS['2025-11-25']('tools/call', CALL), 'Hello'],
  ['tools/call of 2026-07-28', CLIENTS['2026-07-28']('tools/call', CALL), 'Hello'],
  ['tools/list', CLIENTS['2026-07-28']('tools/list', {}), 'calculator'],
  ['a call that fails', CLIENTS.plain('tools/call', { ...CALL, arguments: {} }), 'message'],
  ['POST /invoke', { path: '/invoke', body: INVOKE }, 'Hello'],
  ['GET /tools', { path: '/tools' }, 'calculator'],
])('%s: the body follows the head at once', async (_, shot, words) => {
  let text = ''
  const calls = fromHeadToEnd(await recordGuestCalls(async () => (text = await send(shot))))
  expect(text).toContain(words)
  expect(calls.filter((call) => WRITE.test(call))).toHaveLength(1)
  expect(calls.filter((call) => !ENGINE.test(call))).toEqual([])
})

// Spin reads variables and stores on the thread of the component, and then another thread sends the head at once: what is not
// written by then leaves later. So the body is written before the head is set.
test.each<[string, Shot]>([
  ['ping', CLIENTS.plain('ping', {})],
  ['tools/list', CLIENTS.plain('tools/list', {})],
  ['tools/call', CLIENTS.plain('tools/call', CALL)],
  ['GET /tools', { path: '/tools' }],
  ['an unknown path', { path: '/nope' }],
])('%s: the body is written before the head', async (_, shot) => {
  const calls = fromReadToHead(await recordGuestCalls(() => send(shot)))
  expect(calls.filter((call) => WRITE.test(call))).toHaveLength(1)
})
