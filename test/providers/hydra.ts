/** Ory Hydra, with tokens that are JWTs or opaque, and the application that signs users in. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/command.ts'
import { goProgram } from './go-program.ts'
import { startConsent } from './hydra-consent.ts'
import { startProgram } from './program.ts'
import { type Driver, type Gateway, NATIVE_REDIRECT, type Provider } from './provider.ts'

const driver = (form: 'jwt' | 'opaque'): Driver => ({
  name: `Ory Hydra with tokens of the form ${form}`,
  find: () =>
    goProgram({ name: 'hydra', variable: 'FTL_TEST_HYDRA', main: '.', flags: ['-tags=sqlite'] }),
  start: (path, gateway) => start(path, gateway, form),
})

export const hydraJwt = driver('jwt')
export const hydraOpaque = driver('opaque')

const CLIENT_OF_GATEWAY = { id: 'gateway', secret: 'is not looked at' }

async function start(path: string, gateway: Gateway, form: 'jwt' | 'opaque'): Promise<Provider> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const admin = `http://127.0.0.1:${adminPort}`
  const folder = await mkdtemp(join(tmpdir(), 'ftl-hydra-'))
  const file = join(folder, 'hydra.json')
  const consent = await startConsent({ admin, audience: gateway.resource })
  const cors = { enabled: true, allowed_origins: [gateway.url] }
  const settings = {
    dsn: 'memory',
    secrets: { system: [randomBytes(16).toString('hex')] },
    serve: {
      public: { host: '127.0.0.1', port, cors },
      admin: { host: '127.0.0.1', port: adminPort },
    },
    urls: {
      self: { issuer: url },
      login: `${consent.url}/login`,
      consent: `${consent.url}/consent`,
    },
    strategies: { access_token: form },
    oidc: {
      dynamic_client_registration: {
        enabled: true,
        default_scope: ['tools', 'math', 'offline_access'],
      },
    },
    webfinger: { oidc_discovery: { client_registration_url: `${url}/oauth2/register` } },
    log: { level: 'warn' },
  }
  await writeFile(file, JSON.stringify(settings))
  const program = await startProgram(path, {
    args: ['serve', 'all', '--dev', '--config', file],
    ready: `${admin}/health/ready`,
  })
  await registerClient(admin)
  return {
    variables: {
      auth_issuers: url,
      auth_host: url,
      auth_scopes: 'tools',
      auth_groups_claim: 'ext.groups',
      ...(form === 'opaque' && {
        auth_introspection: JSON.stringify({
          issuer: url,
          endpoint: `${admin}/admin/oauth2/introspect`,
          client_id: CLIENT_OF_GATEWAY.id,
          client_secret: CLIENT_OF_GATEWAY.secret,
        }),
        auth_host: admin,
      }),
    },
    officialClientId: 'ftl',
    furtherScope: 'math',
    hasGroups: true,
    revokes: true,
    reuse: 'ends the sign-in',
    async close() {
      await program.close()
      await consent.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** The official clients cannot read the answer to their own registration. */
async function registerClient(admin: string): Promise<void> {
  const response = await fetch(`${admin}/admin/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: 'ftl',
      client_name: 'ftl',
      redirect_uris: [NATIVE_REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'tools math offline_access',
      token_endpoint_auth_method: 'none',
    }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
}
