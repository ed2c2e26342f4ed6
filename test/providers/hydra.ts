/** Ory Hydra, set up as docs/identity-providers/ory-hydra.md says, and the application that signs users in. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { freePort } from '../support/command.ts'
import { goProgram } from './go-program.ts'
import { startConsent } from './hydra-consent.ts'
import { pageSettings } from './page-settings.ts'
import { startProgram } from './program.ts'
import type { Driver, Gateway, Provider } from './provider.ts'

const driver = (form: 'jwt' | 'opaque'): Driver => ({
  name: `Ory Hydra with tokens of the form ${form}`,
  find: () =>
    goProgram({ name: 'hydra', variable: 'FTL_TEST_HYDRA', main: '.', flags: ['-tags=sqlite'] }),
  start: (path, gateway) => start(path, gateway, form),
})

export const hydraJwt = driver('jwt')
export const hydraOpaque = driver('opaque')

/** What is read of the page. */
interface HydraSettings {
  urls: { self: object }
  strategies: object
  serve: { public: object }
}

async function start(path: string, gateway: Gateway, form: 'jwt' | 'opaque'): Promise<Provider> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const admin = `http://127.0.0.1:${adminPort}`
  const folder = await mkdtemp(join(tmpdir(), 'ftl-hydra-'))
  const file = join(folder, 'hydra.json')
  const { code, json, secrets, variables } = pageSettings('ory-hydra', {
    'https://hydra-admin.example': admin,
    'https://hydra.example': url,
    'https://gateway.example': gateway.url,
  })
  const [audience, client] = json
  const consent = await startConsent({ admin, audience: gateway.resource, patch: audience })
  const settings = parse(code('yaml').join('\n')) as HydraSettings
  const complete = {
    ...settings,
    dsn: 'memory',
    secrets: { system: [randomBytes(16).toString('hex')] },
    serve: {
      public: { ...settings.serve.public, host: '127.0.0.1', port },
      admin: { host: '127.0.0.1', port: adminPort },
    },
    urls: {
      ...settings.urls,
      login: `${consent.url}/login`,
      consent: `${consent.url}/consent`,
    },
    ...(form === 'opaque' && { strategies: { access_token: 'opaque' } }),
    log: { level: 'warn' },
  }
  await writeFile(file, JSON.stringify(complete))
  const program = await startProgram(path, {
    args: ['serve', 'all', '--dev', '--config', file],
    ready: `${admin}/health/ready`,
  })
  await registerClient(admin, client)
  const [ofJwt = {}, ofOpaque = {}] = variables
  return {
    variables: form === 'jwt' ? ofJwt : { ...ofOpaque, ...secrets },
    officialClientId: 'ftl',
    furtherScope: 'write',
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
async function registerClient(admin: string, client: unknown): Promise<void> {
  const response = await fetch(`${admin}/admin/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
}
