/** Dex (2.45.1 was tried), with a configuration as docs/identity-providers/dex.md says. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { freePort } from '../support/command.ts'
import { goProgram } from './go-program.ts'
import { pageSettings } from './page-settings.ts'
import { startProgram } from './program.ts'
import {
  ADA,
  type Driver,
  EVE,
  type Gateway,
  GROUP,
  type Provider,
  UPSTREAM_SECRET,
  upstreamOf,
} from './provider.ts'

export const dex: Driver = {
  name: 'Dex',
  find: () => goProgram({ name: 'dex', variable: 'FTL_TEST_DEX', main: './cmd/dex' }),
  start,
}

/** Of {@link PASS_PHRASE}, from Dex's own example. */
const HASH = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W'

const person = (username: string) => ({
  email: username,
  username,
  preferredUsername: username,
  userID: `id-of-${username}`,
  hash: HASH,
  groups: username === ADA ? [GROUP] : [],
})

/** What is read of the page. */
interface DexSettings {
  web: object
  staticClients: object[]
}

async function start(path: string, gateway: Gateway): Promise<Provider> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const issuer = `${url}/dex`
  const folder = await mkdtemp(join(tmpdir(), 'ftl-dex-'))
  const file = join(folder, 'dex.json')
  const { code, variables } = pageSettings('dex', {
    'https://dex.example': url,
    'https://gateway.example': gateway.url,
    "secret: '…'": `secret: '${UPSTREAM_SECRET}'`,
  })
  const [settings, component] = code('yaml').map((block) => parse(block) as DexSettings)
  if (!settings || !component) throw new Error('the page has no settings')
  const complete = {
    ...settings,
    storage: { type: 'memory' },
    web: { ...settings.web, http: `127.0.0.1:${port}` },
    oauth2: { skipApprovalScreen: true },
    enablePasswordDB: true,
    staticClients: [...settings.staticClients, ...component.staticClients],
    staticPasswords: [ADA, EVE].map(person),
  }
  // JSON is YAML, too.
  await writeFile(file, JSON.stringify(complete))
  const program = await startProgram(path, {
    args: ['serve', file],
    ready: `${issuer}/.well-known/openid-configuration`,
  })
  return {
    variables: variables[0] ?? {},
    upstream: upstreamOf(issuer),
    clientId: 'ftl',
    hasGroups: true,
    revokes: false,
    reuse: 'is refused',
    async close() {
      await program.close()
      await rm(folder, { recursive: true })
    },
  }
}
