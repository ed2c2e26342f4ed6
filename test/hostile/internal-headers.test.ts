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
  return Object.fromEntries(
    Object.entries(await allArrived(component, headers, client, to)).filter(([name]) =>
      /^(x-|forwarded|ftl-|content-length)/.test(name),
    ),
  )
}

/** The same, with those the host adds. */
async function allArrived(
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
  return Object.fromEntries(all)
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
  ['ftl-caller', '{"scopes":["admin"]}'],
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
  const both: [string, string][] = [principal, ['ftl-caller', '{"scopes":["tools"]}']]
  expect(await arrived('gateway', both)).toEqual(Object.fromEntries(both))
})

attack('a component sends another one the content-length "+3"', async () => {
  const told = { to: 'echo.spin.internal', headers: [['content-length', '+3']] } as const
  const { outcome } = await tell(`${host.url}/tool/`, told)
  expect(outcome).toBe('HTTP-protocol-error')
  return outcome
})

// As on Spin, where a component forwards headers, the host's own follow them.
const LAST_IS_THE_HOSTS: Record<string, string> = {
  'spin-path-info': '/request',
  'spin-full-url': 'http://localhost/request',
  'spin-matched-route': '/...',
  'spin-component-route': '',
  'spin-raw-component-route': '/...',
  'spin-base-path': '/',
  'spin-client-addr': '0.0.0.0:0',
}
attack('a component sends another one forged spin headers, several times', async () => {
  const forged = Object.keys(LAST_IS_THE_HOSTS).flatMap((name): [string, string][] => [
    [name, '10.0.0.1:1'],
    [name.toUpperCase(), '/admin'],
  ])
  const seen = await allArrived('tool', forged)
  for (const [name, own] of Object.entries(LAST_IS_THE_HOSTS)) {
    expect(seen[name]?.split(', ')).toEqual(['10.0.0.1:1', '/admin', own])
  }
  return "the last value is the host's"
})

attack('a component sends another one a spin header that the host does not set', async () => {
  const forged: [string, string][] = [
    ['spin-path-match-user', 'alice'],
    ['Spin-Component-Name', 'gateway'],
    ['spin-', 'x'],
  ]
  const seen = await allArrived('tool', forged)
  expect(
    Object.keys(seen)
      .filter((name) => name.startsWith('spin-'))
      .sort(),
  ).toEqual(Object.keys(LAST_IS_THE_HOSTS).sort())
  return 'the header is left out'
})
