/** The gateway and echo, with and without authentication, on the embedded host or on a Spin. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { startHost } from 'ftl-host'
import { nativeGateway } from '../cli/src/build/native-gateway.ts'
import { startSpin } from '../test/on-spin/spin.ts'
import { freePort } from '../test/support/command.ts'
import { CACHE_DIR } from './application.ts'

export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
type Algorithm = (typeof ALGORITHMS)[number]

const ISSUER = 'https://issuer.example'
const AUDIENCE = 'https://gateway.example/mcp'

export interface Served {
  url: string
  close(): Promise<void>
}

/** Where an application runs, and from which folder its components are. */
export interface Place {
  /** The program of a Spin. @default the embedded host */
  spin?: string | undefined
  /** Its `dist` has the components. */
  folder: string
}

export interface Setup {
  /** Variables of a gateway that requires authentication. */
  locked: Record<string, string>
  /** The same, with a policy of 20 rules. */
  ruled: Record<string, string>
  /** The same for opaque tokens, which it knows by asking. */
  asking: Record<string, string>
  apiKey: string
  /** An opaque token. */
  opaque: string
  /** A token that no gateway has seen. */
  token(algorithm: Algorithm): Promise<string>
  start(place: Place, variables?: Record<string, string>): Promise<Served>
  close(): Promise<void>
}

export async function createSetup(): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-bench-'))
  const pairs = Object.fromEntries(
    await Promise.all(
      ALGORITHMS.map(async (alg) => [alg, await generateKeyPair(alg, { extractable: true })]),
    ),
  ) as Record<Algorithm, Awaited<ReturnType<typeof generateKeyPair>>>
  const keys = await Promise.all(
    ALGORITHMS.map(async (alg) => ({
      ...(await exportJWK(pairs[alg].publicKey)),
      kid: alg,
      alg,
    })),
  )
  const apiKey = `ftl_${randomBytes(32).toString('base64url')}`
  const sha256 = createHash('sha256').update(apiKey).digest('hex')
  const locked = {
    auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: { keys } }]),
    auth_audience: AUDIENCE,
    api_keys: JSON.stringify([{ sha256, principal: 'ci' }]),
    policy: 'signed-in',
    // A Spin has no store of the gateway's own.
    request_state_key: randomBytes(32).toString('hex'),
  }
  const gateway = await nativeGateway()
  const introspection = await startIntrospection()
  const rules = Array.from({ length: 20 }, (_, place) => ({
    name: `rule number ${place + 1}`,
    effect: place % 5 === 0 ? 'deny' : 'allow',
    principals: ['key:*', '*#ada'],
    components: ['echo', 'calculator'],
    tools: place === 19 ? ['ec*'] : [`tool_${place}`, `*_${place}_image`],
  }))
  return {
    apiKey,
    locked,
    opaque: 'an-opaque-token',
    asking: {
      ...locked,
      auth_introspection: JSON.stringify({
        issuer: ISSUER,
        endpoint: introspection.url,
        client_id: 'gateway',
        client_secret: 'x',
      }),
    },
    ruled: { ...locked, policy: JSON.stringify({ rules }) },
    token: (alg) =>
      new SignJWT({ scope: 'tools', jti: randomBytes(8).toString('hex') })
        .setProtectedHeader({ alg, kid: alg, typ: 'at+jwt' })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject('ada')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(pairs[alg].privateKey),
    async start({ spin, folder: from }, variables = {}) {
      const manifest = join(folder, `${randomBytes(4).toString('hex')}.toml`)
      await writeFile(manifest, manifestOf(from, variables))
      if (spin !== undefined) return startSpin({ spin, manifest, port: await freePort() })
      return startHost({
        manifest,
        listen: '127.0.0.1:0',
        stateDir: '',
        cacheDir: CACHE_DIR,
        env: {},
        workers: 1,
        nativeGateway: gateway.code,
      })
    },
    async close() {
      introspection.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Knows every token. */
async function startIntrospection() {
  const server = createServer((_, response) => {
    const said = { active: true, sub: 'ada', aud: AUDIENCE, scope: 'tools' }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(said))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/introspect`, close: () => server.close() }
}

function manifestOf(from: string, variables: Record<string, string>): string {
  const dist = (id: string) => JSON.stringify(resolve(from, 'dist', `${id}.wasm`))
  const lines = Object.entries({ tool_components: 'echo', ...variables }).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  )
  return `spin_manifest_version = 2
[application]
name = "authentication"
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = ${dist('mcp-gateway')}
allowed_outbound_hosts = ["http://*.spin.internal", "http://127.0.0.1:*"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
${lines.join('\n')}
[[trigger.http]]
route = { private = true }
component = "echo"
[component.echo]
source = ${dist('echo')}
`
}
