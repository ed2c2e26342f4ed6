/** Keycloak, set up by its API as docs/identity-providers/keycloak.md says. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/command.ts'
import { mavenZip } from './maven.ts'
import { pageSettings } from './page-settings.ts'
import { startProgram } from './program.ts'
import {
  ADA,
  type Driver,
  EVE,
  type Gateway,
  GROUP,
  PASS_PHRASE,
  type Provider,
  UPSTREAM_SECRET,
  upstreamOf,
} from './provider.ts'

const VERSION = '26.7.3'
const ADMIN = { name: 'admin', secret: 'only for this test' }

export const keycloak: Driver = {
  name: `Keycloak ${VERSION}`,
  find: () =>
    mavenZip({ group: 'org.keycloak', artifact: 'keycloak-quarkus-dist', version: VERSION }),
  start,
}

async function start(folder: string, gateway: Gateway): Promise<Provider> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const data = await mkdtemp(join(tmpdir(), 'ftl-keycloak-'))
  const program = await startProgram(join(folder, `keycloak-${VERSION}`, 'bin', 'kc.sh'), {
    args: [
      'start-dev',
      `--http-port=${port}`,
      '--http-host=127.0.0.1',
      // In memory: each run begins with nothing.
      '--db=dev-mem',
    ],
    env: {
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.name,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.secret,
      JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
    },
    cwd: data,
    ready: `${url}/realms/master`,
  })
  const { json, variables } = pageSettings('keycloak', {
    'https://keycloak.example': url,
    'https://gateway.example': gateway.url,
    '"secret": "…"': `"secret": "${UPSTREAM_SECRET}"`,
  })
  await setUp(await administrator(url), gateway, json)
  return {
    variables: variables[0] ?? {},
    upstream: upstreamOf(`${url}/realms/main`),
    furtherScope: 'mcp-write',
    hasGroups: true,
    revokes: true,
    reuse: 'ends the sign-in',
    async close() {
      await program.close()
      await rm(data, { recursive: true })
    },
  }
}

type Api = (method: string, path: string, body?: unknown) => Promise<unknown>

async function administrator(url: string): Promise<Api> {
  const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: ADMIN.name,
      password: ADMIN.secret,
    }),
  })
  const { access_token: token = '' } = (await answer.json()) as { access_token?: string }
  return async (method, path, body) => {
    const response = await fetch(`${url}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
}

/** @param bodies of the page, in its order. */
async function setUp(api: Api, gateway: Gateway, bodies: readonly unknown[]): Promise<void> {
  const [realm, tools, write, native, page, component] = bodies
  await api('POST', '', { realm: 'main', enabled: true, sslRequired: 'none' })
  await api('PUT', '/main', realm)
  for (const scope of [tools, write]) await api('POST', '/main/client-scopes', scope)
  const scopes = (await api('GET', '/main/client-scopes')) as { id: string; name: string }[]
  for (const { id, name } of scopes.filter((scope) => scope.name.startsWith('mcp-'))) {
    await api('PUT', `/main/default-optional-client-scopes/${id}`, { realm: 'main', name })
  }
  for (const client of [native, page, component]) await api('POST', '/main/clients', client)
  await allowRegistration(api, gateway)
  await api('POST', '/main/groups', { name: GROUP })
  for (const username of [ADA, EVE]) {
    await api('POST', '/main/users', {
      username,
      enabled: true,
      // Keycloak asks a user for what is missing.
      email: `${username}@example.com`,
      emailVerified: true,
      firstName: username,
      lastName: 'Example',
      credentials: [{ type: 'password', value: PASS_PHRASE, temporary: false }],
      groups: username === ADA ? [GROUP] : [],
    })
  }
}

interface Component {
  id: string
  name: string
  subType?: string
  config: Record<string, string[]>
}

/** From programs of this machine, and from the page. */
async function allowRegistration(api: Api, { url }: Gateway): Promise<void> {
  const type = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy'
  const policies = (await api('GET', `/main/components?type=${type}`)) as Component[]
  const changed: Record<string, Record<string, string[]>> = {
    'Trusted Hosts': { 'trusted-hosts': ['127.0.0.1', 'localhost'] },
    'Allowed Registration Web Origins': { 'web-origins': [url] },
  }
  for (const policy of policies) {
    const more = policy.subType === 'anonymous' ? changed[policy.name] : undefined
    if (!more) continue
    const config = { ...policy.config, ...more }
    await api('PUT', `/main/components/${policy.id}`, { ...policy, config })
  }
}
