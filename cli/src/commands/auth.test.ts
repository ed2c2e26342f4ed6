// `ftl auth init` in an application.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { authCommand } from './auth.ts'

const MANIFEST = `spin_manifest_version = 2

[application]
name = "app"

[variables]
tool_components = { default = "" }

[[trigger.http]]
route = "/..."
component = "mcp-gateway"

[component.mcp-gateway]
source = "dist/mcp-gateway.wasm"

[component.mcp-gateway.variables]
tool_components = "{{ tool_components }}"
`

let folder: string
let printed: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-auth-init-'))
  writeFileSync(join(folder, 'spin.toml'), MANIFEST)
  // As the package is after its packing.
  const parts = join(folder, 'node_modules/ftl-components/web')
  mkdirSync(parts, { recursive: true })
  writeFileSync(join(parts, 'index.js'), '')
  printed = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const init = (address: string) =>
  authCommand().parseAsync(['init', address, '--from', folder], { from: 'user' })
const env = () => parseEnv(readFileSync(join(folder, '.env'), 'utf8'))

it('adds the component, and writes settings for this address and a user', async () => {
  await init('https://gateway.example')
  expect(readFileSync(join(folder, 'spin.toml'), 'utf8')).toContain('[component.auth]')
  expect(env()).toMatchObject({
    SPIN_VARIABLE_AUTH_SERVER_URL: 'https://gateway.example',
    SPIN_VARIABLE_AUTH_AUDIENCE: 'https://gateway.example/mcp',
    SPIN_VARIABLE_ALLOWED_HOSTS: 'gateway.example',
    SPIN_VARIABLE_POLICY: 'signed-in',
  })
  const { SPIN_VARIABLE_AUTH_SERVER_KEY: key, SPIN_VARIABLE_REQUEST_STATE_KEY: seal } = env()
  expect(key?.length).toBeGreaterThanOrEqual(32)
  expect(seal?.length).toBeGreaterThanOrEqual(32)
  expect(seal).not.toBe(key)
  expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0)
  expect(printed).toMatch(/\n {2}me\n {2}\w{6}-\w{6}-\w{6}-\w{6}\n/)
  // It says itself what is next, and not that it should be run.
  expect(printed.match(/Next:/g)).toHaveLength(1)
  expect(printed).not.toContain('Run "npx ftl auth init')
})

it('says for an address of this machine how to serve it there', async () => {
  await init('http://127.0.0.1:3977')
  expect(printed).toContain('npx ftl up --listen 127.0.0.1:3977\n')
  expect(printed).not.toContain('proxy')
})

it('changes nothing when it runs again', async () => {
  await init('https://gateway.example')
  const before = env()
  printed = ''
  await init('https://gateway.example')
  expect(env()).toEqual(before)
  expect(printed).toContain('were not changed')
})

it('refuses another address than that of the settings, which would stay', async () => {
  await init('http://127.0.0.1:3000')
  const before = env()
  await expect(init('https://gateway.example')).rejects.toThrow('http://127.0.0.1:3000')
  expect(env()).toEqual(before)
})

const withUpstream = (...more: string[]) =>
  authCommand().parseAsync(['init', 'https://gateway.example', '--from', folder, ...more], {
    from: 'user',
  })

it('writes the settings of GitHub, the hosts, and no pass phrase', async () => {
  process.env['FTL_UPSTREAM_SECRET'] = 'the-secret'
  try {
    await withUpstream(
      '--github',
      '--client-id',
      'Iv1.x',
      '--permit',
      'org:acme',
      '--permit',
      'login:ada',
    )
  } finally {
    delete process.env['FTL_UPSTREAM_SECRET']
  }
  expect(env()).toMatchObject({
    SPIN_VARIABLE_AUTH_UPSTREAM: 'github',
    SPIN_VARIABLE_AUTH_UPSTREAM_CLIENT_ID: 'Iv1.x',
    SPIN_VARIABLE_AUTH_UPSTREAM_CLIENT_SECRET: 'the-secret',
    SPIN_VARIABLE_AUTH_UPSTREAM_USERS: 'org:acme, login:ada',
  })
  expect(env()).not.toHaveProperty('SPIN_VARIABLE_AUTH_USERS')
  expect(printed).not.toContain('the-secret')
  const manifest = readFileSync(join(folder, 'spin.toml'), 'utf8')
  for (const host of ['"https://github.com"', '"https://api.github.com"', '"https://claude.ai"'])
    expect(manifest).toContain(host)
})

it.each([
  [['--github'], '/auth/callback'],
  [['--client-id', 'x'], '--upstream or --github'],
  [['--upstream', 'nonsense', '--client-id', 'x'], 'OpenID provider'],
  // With these, the component would sign in no user.
  [['--github', '--client-id', 'x', '--permit', 'email:ada@example.com'], 'use sub:, login:'],
  [['--github', '--client-id', 'x', '--permit', 'org:acme', '--permit', '*'], '"*" names no user'],
  [['--github', '--client-id', 'x', '--permit', 'ada'], '"ada" names no user of github'],
])('refuses %j, and writes nothing', async (more, text) => {
  await expect(withUpstream(...more)).rejects.toThrow(text)
  expect(readFileSync(join(folder, 'spin.toml'), 'utf8')).toBe(MANIFEST)
})

it.each(["a'b", 'a b', 'a\nb', 'ä'])(
  'refuses the secret %j, which the component would not take, and does not print it',
  async (secret) => {
    vi.stubEnv('FTL_UPSTREAM_SECRET', secret)
    const failed = withUpstream('--github', '--client-id', 'x', '--permit', 'login:ada')
    await expect(failed).rejects.toThrow(/^FTL_UPSTREAM_SECRET must have no quotes/)
    await expect(failed).rejects.not.toThrow(secret)
    expect(readFileSync(join(folder, 'spin.toml'), 'utf8')).toBe(MANIFEST)
  },
)

it('writes an entry with a comma so that it stays one', async () => {
  await withUpstream(
    '--github',
    '--client-id',
    'x',
    '--permit',
    'team:acme/a, b',
    '--permit',
    'login:ada',
  )
  expect(JSON.parse(env()['SPIN_VARIABLE_AUTH_UPSTREAM_USERS'] ?? '')).toEqual([
    'team:acme/a, b',
    'login:ada',
  ])
})

it('says that no user can sign in yet if no user is named', async () => {
  await withUpstream('--github', '--client-id', 'x')
  expect(printed).toContain('auth_upstream_users names no users')
})
