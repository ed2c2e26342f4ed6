import { parseManifest } from 'ftl-host'
import { describe, expect, it } from 'vitest'
import { exposureWarning } from './exposure.ts'

const manifestWith = (variables: string) =>
  parseManifest(
    `spin_manifest_version = 2
[application]
name = "test"
[variables]
keys = { default = "" }
[[trigger.http]]
route = "/..."
component = "gateway"
[component.gateway]
source = "gateway.wasm"
[component.gateway.variables]
${variables}`,
    '/app/spin.toml',
  )
const GATEWAY = 'tool_components = "echo"'
const OPEN = '0.0.0.0:8080'
const ISSUER = 'auth_issuers = "https://issuer.example"'
const AUDIENCE = 'auth_audience = "https://gateway.example/mcp"'
const warning = (variables: string, options: Partial<Parameters<typeof exposureWarning>[1]> = {}) =>
  exposureWarning(manifestWith(variables), { listen: OPEN, variable: {}, ...options })

describe('a gateway without authentication', () => {
  it.each(['127.0.0.1:3000', '127.9.9.9:0', 'localhost:3000', '[::1]:3000'])(
    'may listen on this machine: %s',
    async (listen) => expect(await warning(GATEWAY, { listen })).toBeUndefined(),
  )

  it.each([OPEN, '[::]:80', '192.168.1.5:3000', 'gateway.example:80', '127.0.0.1.evil.example:1'])(
    'is refused on %s, and the message says what to do',
    async (listen) => {
      const refused = warning(GATEWAY, { listen })
      await expect(refused).rejects.toThrow(/ftl key new.*auth_issuers[^]*--insecure/)
      await expect(refused).rejects.toThrow(listen)
    },
  )

  it('is served with --insecure, and a loud line', async () => {
    expect(await warning(GATEWAY, { insecure: true })).toMatch(
      /^WARNING: every client .*0\.0\.0\.0:8080/,
    )
  })

  it.each([
    'trust_forwarded_user = "false"',
    'trust_forwarded_user = "false; policy=signed-in"',
    'api_keys = ""',
    'api_keys = "{{ keys }}"',
  ])('is one with %s too', async (line) =>
    expect(warning(`${GATEWAY}\n${line}`)).rejects.toThrow('--insecure'),
  )
})

describe('a gateway with issuers and without auth_audience', () => {
  it.each([
    ISSUER,
    `${ISSUER}\nauth_audience = ""`,
    `${ISSUER}\nauth_audience = "{{ keys }}"`,
    `${ISSUER}\nallowed_hosts = "gateway.example"`,
    `${ISSUER}\napi_keys = "[]"`,
  ])('is refused for other machines with %j, and the message says what to set', async (lines) => {
    const refused = warning(`${GATEWAY}\n${lines}`)
    await expect(refused).rejects.toThrow(
      /0\.0\.0\.0:8080.*\n.*auth_audience.*https:.*\n.*--insecure/,
    )
  })

  it('may listen on this machine', async () => {
    expect(await warning(`${GATEWAY}\n${ISSUER}`, { listen: '127.0.0.1:3000' })).toBeUndefined()
  })

  it('is served with --insecure, and a loud line', async () => {
    expect(await warning(`${GATEWAY}\n${ISSUER}`, { insecure: true })).toMatch(
      /^WARNING: .*0\.0\.0\.0:8080.*no auth_audience/,
    )
  })
})

it.each([
  ['a key', 'api_keys = "{{ keys }}"', { keys: '[]' }],
  ['an issuer and an audience', `${ISSUER}\n${AUDIENCE}`, {}],
  ['a proxy', 'trust_forwarded_user = "true"', {}],
])('a gateway with %s may listen anywhere', async (_, line, variable) => {
  expect(await warning(`${GATEWAY}\n${line}`, { variable })).toBeUndefined()
})

it('an application without a gateway may, because its components decide', async () => {
  expect(await warning('a = "b"')).toBeUndefined()
})
