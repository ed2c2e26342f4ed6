// A component must not pose as a proxy, a gateway or another user towards the components it may call.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { sender, tell, type Told } from './support/sender.ts'
import { built } from './support/wat.ts'

let host: RunningApplication
beforeAll(async () => {
  const wasm = await sender()
  // Answers with the request it received.
  const echo = { wasm: await built('test/fidelity/guest'), route: false as const }
  host = await startHostile(
    {
      tool: { wasm, allowedHosts: ['http://*.spin.internal', 'http://self'] },
      gateway: {
        wasm,
        allowedHosts: ['http://*.spin.internal'],
        variables: { tool_components: 'x' },
      },
      echo,
      open: { ...echo, route: '/open/...' },
    },
    { workers: 1 },
  )
})
afterAll(() => host.close())

/** Headers that arrive at the callee, of those in `sent` and in what the client itself sends. */
async function arrived(
  component: string,
  headers: Told['headers'],
  client: [string, string][] = [],
  to = 'echo.spin.internal',
): Promise<Record<string, string>> {
  const path = to === 'self' ? '/open/request' : '/request'
  const { text } = await tell(
    `${host.url}/${component}/`,
    { to, path, headers: headers ?? [] },
    client,
  )
  const { headers: all } = JSON.parse(text) as { headers: [string, string][] }
  return Object.fromEntries(
    all.filter(([name]) => /^(x-|forwarded|ftl-|content-length)/.test(name)),
  )
}

const ALICE: [string, string] = ['x-forwarded-user', 'alice']

test('other headers arrive, those of the contract included', async () => {
  const headers: [string, string][] = [
    ['x-mine', 'm'],
    ['ftl-request-id', 'r'],
  ]
  expect(await arrived('tool', headers)).toEqual(Object.fromEntries(headers))
})

const FORGED: [string, string][] = [
  ALICE,
  ['X-Forwarded-User', 'alice'],
  ['x-forwarded-for', '10.0.0.1'],
  ['x-forwarded-host', 'inside'],
  ['forwarded', 'for=10.0.0.1'],
  ['ftl-principal', 'alice'],
]
for (const header of FORGED) {
  attack(`a component sends another one "${header.join(': ')}"`, async () => {
    expect(await arrived('tool', [header])).toEqual({})
    return 'the header is left out'
  })
}

attack('a component sends the application itself x-forwarded-user', async () => {
  expect(await arrived('tool', [ALICE, ['x-mine', 'm']], [], 'self')).toEqual({ 'x-mine': 'm' })
  return 'the header is left out'
})

test('a component may pass on the user of the request it works for', async () => {
  expect(await arrived('tool', [ALICE], [ALICE])).toEqual({ 'x-forwarded-user': 'alice' })
})

attack('a component that works for one user names another, or two', async () => {
  const bob: [string, string] = ['x-forwarded-user', 'bob']
  expect(await arrived('tool', [bob], [ALICE])).toEqual({})
  expect(await arrived('tool', [ALICE, bob], [ALICE])).toEqual({ 'x-forwarded-user': 'alice' })
  expect(await arrived('tool', [ALICE, ALICE], [ALICE])).toEqual({ 'x-forwarded-user': 'alice' })
  return 'only the user of the request it works for arrives'
})

attack('a client names two users, and a component passes on one', async () => {
  const bob: [string, string] = ['x-forwarded-user', 'bob']
  expect(await arrived('tool', [ALICE], [ALICE, bob])).toEqual({})
  return 'the header is left out'
})

test('a gateway names the user to the components it calls', async () => {
  const principal: [string, string] = ['ftl-principal', 'alice']
  expect(await arrived('gateway', [principal])).toEqual({ 'ftl-principal': 'alice' })
})

attack('a component sends another one the content-length "+3"', async () => {
  const told = { to: 'echo.spin.internal', headers: [['content-length', '+3']] } as const
  const { outcome } = await tell(`${host.url}/tool/`, told)
  expect(outcome).toBe('HTTP-protocol-error')
  return outcome
})
