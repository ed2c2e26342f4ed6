// `ftl login`, and the commands and the client that use what it stores, against a certified authorization server.
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuthenticationError, type AuthConfig, Client } from 'ftl-client'
import { type SignIn, signIn, signOut, TokenStore } from 'ftl-client/auth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ftl, type RunningCommand } from '../support/command.ts'
import { type AuthenticatedApplication, startAuthenticated } from './application.ts'

const KEYS = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
}
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
/** Where the authorization server finds the client's document. Its own request is answered here, without a network. */
const DOCUMENT = 'https://client.example/ftl.json'
const NATIVE = {
  application_type: 'native',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
}

let app: AuthenticatedApplication
let folder: string
let server: URL
let store: TokenStore
/** Everything that a command printed. */
let printed = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-login-'))
  app = await startAuthenticated({
    server: {
      scopes: ['files'],
      clients: [
        { client_id: 'desktop', ...NATIVE },
        ...ALGORITHMS.map((algorithm) => ({
          client_id: `machine-${algorithm}`,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [KEYS[algorithm].publicKey.export({ format: 'jwk' })] },
        })),
      ],
      async fetchClient(url) {
        return url === DOCUMENT
          ? Response.json({ client_id: DOCUMENT, client_name: 'ftl', ...NATIVE })
          : new Response(null, { status: 404 })
      },
    },
  })
  server = new URL(app.resource)
  for (const algorithm of ALGORITHMS) {
    const pem = KEYS[algorithm].privateKey.export({ type: 'pkcs8', format: 'pem' })
    await writeFile(join(folder, `${algorithm}.pem`), pem)
  }
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await app.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  store = new TokenStore(join(folder, randomUUID()))
  vi.stubEnv('FTL_TOKEN_STORE', store.folder)
})

function run(args: string[], env: Record<string, string> = {}): RunningCommand {
  return ftl(args, { env: { FTL_TOKEN_STORE: store.folder, FTL_DEBUG: '1', ...env } })
}

async function outcome(command: RunningCommand): Promise<{ code: number | null; output: string }> {
  const code = await command.exited
  const output = command.output()
  printed += output
  return { code, output }
}

/** The user's browser: it follows every redirect, and ends at the command. */
async function browse(address: URL): Promise<void> {
  await fetch(await app.issuer.signIn(address))
}

async function login(args: string[] = [], env = {}) {
  const command = run(['login', app.resource, '--no-browser', ...args], env)
  await command.printed(/http\S+\/auth\?\S+/)
  const [address = ''] = /http\S+\/auth\?\S+/.exec(command.output()) ?? []
  await browse(new URL(address))
  return outcome(command)
}

const signedIn = (options: Partial<Parameters<typeof signIn>[1]> = {}) =>
  signIn(server, { store, onAddress: (address) => void browse(address), ...options })

const answer = (env = {}) =>
  outcome(run(['call', 'calculator', 'expression=6*7', '--url', app.resource], env))

async function callWith(auth: AuthConfig, protocol: 'auto' | 'legacy' = 'auto') {
  const client = await Client.connect({ url: app.resource, auth, protocol }, { watchTools: false })
  try {
    await client.initialize()
    return (await client.callTool('calculator', { expression: '6*7' })).content
  } finally {
    await client.close()
  }
}
const FORTY_TWO = [{ type: 'text', text: '42' }]

const expire = async (done: SignIn) =>
  store.save({ ...done, tokens: { ...done.tokens, expiresAt: Date.now() } })

// Each starts several commands.
describe('a user', { timeout: 120_000 }, () => {
  it('is told to sign in, signs in, calls a tool, and signs out', async () => {
    const before = await answer()
    expect(before.code).toBe(4)
    expect(before.output).toContain(`Run "npx ftl login ${app.resource}"`)
    expect(before.output.match(/requires sign-in/g)).toHaveLength(1)

    const { code, output } = await login()
    expect(output).toContain('Signed in')
    expect(code).toBe(0)
    const [done] = await store.all()
    expect(done).toMatchObject({ server: app.resource, resource: app.resource })
    expect(done?.tokens.refreshToken).toMatch(/./)

    expect(await answer()).toMatchObject({ code: 0, output: '42\n' })
    const who = await outcome(run(['whoami', app.resource]))
    expect(who.output).toContain(`You are ${app.issuer.url}#ada, with scopes tools.`)
    expect(who.output).toMatch(/valid for [45] minutes; renewed automatically/)
    const tools = await outcome(
      run(['inspect', '--cli', '--url', app.resource, '--method', 'tools/list']),
    )
    expect(tools.output).toContain('"calculator"')

    const left = await outcome(run(['logout', '--all']))
    expect(left.output).toContain(`${app.resource}: signed out`)
    expect((await answer()).code).toBe(4)
    expect(await store.all()).toEqual([])
    // What was revoked cannot be used by another machine either.
    await store.save({ ...(done as SignIn) })
    await expire(done as SignIn)
    await expect(callWith({})).rejects.toThrow(AuthenticationError)
    expect(await store.all()).toEqual([])
    for (const token of Object.values(done?.tokens ?? {})) {
      if (typeof token === 'string' && token.length > 20) expect(printed).not.toContain(token)
    }
  })

  it('of the program in docs/client.md', async () => {
    const lines: string[] = []
    vi.stubEnv('GATEWAY', app.resource)
    const log = vi.spyOn(console, 'log').mockImplementation((text: string) => {
      lines.push(text)
      if (text.startsWith('Open ')) void browse(new URL(text.slice('Open '.length)))
    })
    await import('./sign-in-example.ts')
    log.mockRestore()
    expect(lines.slice(1)).toContain('calculator')
  })

  it('of a client that is registered already', async () => {
    const { code, output } = await login(['--client-id', 'desktop'])
    expect([code, output]).toEqual([0, expect.stringContaining('client  desktop')])
  })

  it('of a client that is its metadata document', async () => {
    const { code, output } = await login(['--client-metadata-url', DOCUMENT])
    expect([code, output]).toEqual([0, expect.stringContaining(`client  ${DOCUMENT}`)])
    expect(await callWith({}, 'legacy')).toEqual(FORTY_TWO)
  })

  it('whose token has expired: several commands at a time renew it once', async () => {
    const done = await signedIn()
    await expire(done)
    for (const { output } of await Promise.all([answer(), answer(), answer()])) {
      expect(output).toBe('42\n')
    }
    const [renewed] = await store.all()
    expect(renewed?.tokens.refreshToken).not.toBe(done.tokens.refreshToken)
    // A refresh token that is used twice ends the whole sign-in.
    await expire(renewed as SignIn)
    expect(await callWith({})).toEqual(FORTY_TWO)
  })

  it('uses a server of a configuration file, and learns which of its servers requires sign-in', async () => {
    await signedIn()
    const file = join(folder, 'mcp.json')
    const mcpServers = { mine: { url: app.resource }, other: { url: `${app.resource}/other` } }
    await writeFile(file, JSON.stringify({ mcpServers }))
    const { output } = await outcome(run(['tools', '--config', file]))
    expect(output).toContain('calculator')
    expect(output).toContain(`ftl login ${mcpServers.other.url}`)
  })

  it('whose sign-in was withdrawn must sign in again', async () => {
    const done = await signedIn()
    const copy = new TokenStore(join(folder, randomUUID()))
    await copy.save(done)
    expect(await signOut(server, { store: copy })).toMatchObject({ revocation: 'partly' })
    await store.save({ ...done, tokens: { ...done.tokens, accessToken: 'x', expiresAt: 0 } })
    const { code, output } = await answer()
    expect([code, output]).toEqual([4, expect.stringContaining('ftl login')])
  })

  it('with too few scopes signs in for all scopes that are needed', async () => {
    await signedIn({ scope: 'files' })
    const error: unknown = await callWith({}).catch((reason: unknown) => reason)
    if (!(error instanceof AuthenticationError) || !error.signIn) throw error
    expect(error.signIn.challenge.scope?.split(' ').sort()).toEqual(['files', 'tools'])
    const { output } = await answer()
    expect(output).toMatch(/ftl login \S+ --scope '(files tools|tools files)'/)
    await signedIn({ challenge: error.signIn.challenge })
    expect(await callWith({})).toEqual(FORTY_TWO)
  })

  it('who refuses at the authorization server gets its reason', async () => {
    const reason = await signedIn({
      onAddress(address) {
        const back = new URL(address.searchParams.get('redirect_uri') ?? '')
        back.search = String(
          new URLSearchParams({
            error: 'access_denied',
            state: address.searchParams.get('state') ?? '',
            iss: app.issuer.url,
          }),
        )
        void fetch(back)
      },
    }).catch((error: Error) => error.message)
    expect(reason).toContain('access_denied')
  })
})

describe('a machine', () => {
  it.each(ALGORITHMS)('signs in with a private key for %s', async (algorithm) => {
    const auth: AuthConfig = {
      grant: 'client_credentials',
      clientId: `machine-${algorithm}`,
      privateKeyFile: join(folder, `${algorithm}.pem`),
    }
    expect(await callWith(auth)).toEqual(FORTY_TWO)
    expect(await store.all()).toEqual([])
  })

  it('signs in with the key of another client: refused, and the key is in no message', async () => {
    vi.stubEnv('A_KEY', await readFile(join(folder, 'ES256.pem'), 'utf8'))
    const auth: AuthConfig = {
      grant: 'client_credentials',
      clientId: 'machine-EdDSA',
      privateKeyEnv: 'A_KEY',
    }
    await expect(callWith(auth)).rejects.toThrow(/gave no token/)
  })

  it('signs in on the command line, and its token is renewed when it has expired', async () => {
    const key = join(folder, 'EdDSA.pem')
    const { code, output } = await outcome(
      run(['login', app.resource, '--client-credentials', '--client-id', 'machine-EdDSA'], {
        FTL_CLIENT_KEY: key,
      }),
    )
    expect([code, output]).toEqual([0, expect.stringContaining('machine-EdDSA (a machine)')])
    const [done] = await store.all()
    await expire(done as SignIn)
    const auth: AuthConfig = { clientId: 'machine-EdDSA', privateKeyFile: key }
    expect(await callWith(auth)).toEqual(FORTY_TWO)
    expect((await store.all())[0]?.tokens.accessToken).not.toBe(done?.tokens.accessToken)
  })

  it('sends its secret to the authorization server that it is for, and to no other', async () => {
    const secret = 'secret of the machine'
    const env = { FTL_CLIENT_SECRET: secret, FTL_CLIENT_ID: 'machine' }
    const args = ['login', app.resource, '--client-credentials']
    const refused = await outcome(run(args, env))
    expect([refused.code, refused.output]).toEqual([4, expect.stringContaining('FTL_ISSUER')])
    const other = await outcome(run([...args, '--issuer', 'https://as.example'], env))
    expect(other.output).toContain('does not accept tokens of https://as.example')
    const { code } = await outcome(run([...args, '--issuer', app.issuer.url], env))
    expect(code).toBe(0)
    expect(await answer()).toMatchObject({ output: '42\n' })
    const files = await readdir(store.folder)
    const stored = await readFile(join(store.folder, files[0] ?? ''), 'utf8')
    expect(stored + printed).not.toContain(secret)
  })
})
