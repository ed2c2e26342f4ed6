/** django-oauth-toolkit, set up as docs/identity-providers/django-oauth-toolkit.md says: opaque tokens, about which the gateway asks it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../support/command.ts'
import { installPythonPackage } from '../support/python-package.ts'
import { pageSettings } from './page-settings.ts'
import { startProgram } from './program.ts'
import {
  ADA,
  type Driver,
  EVE,
  type Gateway,
  pageRedirect,
  PASS_PHRASE,
  type Provider,
} from './provider.ts'

const VERSION = '3.4.1'
const SCRIPT = fileURLToPath(new URL('django-provider.py', import.meta.url))
const SECRET = 'a secret of the gateway'

export const django: Driver = {
  name: `django-oauth-toolkit ${VERSION}`,
  async find() {
    const found = await installPythonPackage('django-oauth-toolkit', VERSION, { limitMs: 600_000 })
    return 'bin' in found ? { path: join(found.bin, 'python') } : found
  },
  start,
}

async function start(python: string, gateway: Gateway): Promise<Provider> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'ftl-django-'))
  const { code, secrets, variables } = pageSettings('django-oauth-toolkit', {
    'https://django.example': url,
    'https://gateway.example': gateway.url,
    '"client_secret":"…"': `"client_secret":"${SECRET}"`,
  })
  const program = await startProgram(python, {
    args: [SCRIPT],
    cwd: dirname(SCRIPT),
    env: {
      PROVIDER: JSON.stringify({
        port,
        settings: code('text').find((block) => block.startsWith('OAUTH2_PROVIDER')),
        database: join(folder, 'provider.sqlite3'),
        users: [ADA, EVE],
        pass_phrase: PASS_PHRASE,
        secret: SECRET,
        page_redirect: pageRedirect(gateway),
        origin: gateway.url,
      }),
      PYTHONDONTWRITEBYTECODE: '1',
      // Otherwise oauthlib lets pages at https only read its answers.
      OAUTHLIB_INSECURE_TRANSPORT: '1',
    },
    ready: `${url}/.well-known/oauth-authorization-server`,
  })
  return {
    variables: { ...variables[0], ...secrets },
    furtherScope: 'write',
    hasGroups: false,
    revokes: true,
    reuse: 'ends the sign-in',
    async close() {
      await program.close()
      await rm(folder, { recursive: true })
    },
  }
}
