// What authentication adds to a call, in turns: none, an API key, a token that is known, and the first call of a token;
// and what a policy of 20 rules adds to these, of which the last one decides.
// Run: node bench/authentication.ts [--calls 1000] [--against FOLDER]
// --against names the folder of another version, built, whose gateway is measured without authentication.
import { createHash, randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateKeyPair, exportJWK, SignJWT } from 'jose'
import { type Host, startHost } from 'ftl-host'
import { CACHE_DIR } from './application.ts'
import { Report } from './report.ts'
import { median, milliseconds } from './statistics.ts'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '1000' }, against: { type: 'string' } },
})
const calls = Number(values.calls)
const ISSUER = 'https://issuer.example'
const AUDIENCE = 'https://gateway.example/mcp'
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const

const pairs = new Map(
  await Promise.all(
    ALGORITHMS.map(
      async (alg) => [alg, await generateKeyPair(alg, { extractable: true })] as const,
    ),
  ),
)
const keys = await Promise.all(
  [...pairs].map(async ([alg, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid: alg,
    alg,
  })),
)
const apiKey = `ftl_${randomBytes(32).toString('base64url')}`
const sha256 = createHash('sha256').update(apiKey).digest('hex')

async function token(alg: (typeof ALGORITHMS)[number]): Promise<string> {
  const pair = pairs.get(alg)
  if (!pair) throw new Error(alg)
  return new SignJWT({ scope: 'tools', jti: randomBytes(8).toString('hex') })
    .setProtectedHeader({ alg, kid: alg, typ: 'at+jwt' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('ada')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(pair.privateKey)
}

const folder = await mkdtemp(join(tmpdir(), 'ftl-bench-'))

/** The gateway and echo of a folder, without anything else. */
async function start(from: string, variables: Record<string, string> = {}): Promise<Host> {
  const manifest = join(folder, `${randomBytes(4).toString('hex')}.toml`)
  const dist = (id: string) => JSON.stringify(resolve(from, 'dist', `${id}.wasm`))
  const lines = Object.entries({ tool_components: 'echo', ...variables }).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  )
  await writeFile(
    manifest,
    `spin_manifest_version = 2
[application]
name = "authentication"
[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = ${dist('mcp-gateway')}
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
${lines.join('\n')}
[[trigger.http]]
route = { private = true }
component = "echo"
[component.echo]
source = ${dist('echo')}
`,
  )
  return startHost({
    manifest,
    listen: '127.0.0.1:0',
    stateDir: '',
    cacheDir: CACHE_DIR,
    env: {},
    workers: 1,
  })
}

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: { message: 'x' } },
})

async function call({ url }: Host, bearer?: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  }
  const since = performance.now()
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: BODY })
  const text = await response.text()
  const took = performance.now() - since
  if (!text.includes('"result"')) throw new Error(`${response.status} ${text}`)
  return took
}

const HERE = fileURLToPath(new URL('..', import.meta.url))
const LOCKED = {
  auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: { keys } }]),
  auth_audience: AUDIENCE,
  api_keys: JSON.stringify([{ sha256, principal: 'ci' }]),
  policy: 'signed-in',
}
const rules = Array.from({ length: 20 }, (_, place) => ({
  name: `rule number ${place + 1}`,
  effect: place % 5 === 0 ? 'deny' : 'allow',
  principals: ['key:*', '*#ada'],
  components: ['echo', 'calculator'],
  tools: place === 19 ? ['ec*'] : [`tool_${place}`, `*_${place}_image`],
}))
const RULED = { ...LOCKED, policy: JSON.stringify({ rules }) }
const known = await token('ES256')
const OPEN = 'no authentication'
type Turn = () => Promise<number>
/** A host for each: one that is called more often than another is faster. */
async function turnOf(
  what: string,
  from: string,
  variables: Record<string, string>,
  bearer?: () => Promise<string>,
) {
  const host = await start(from, variables)
  const turn: Turn = async () => call(host, await bearer?.())
  return { what, host, turn, times: [] as number[] }
}
const turns = [
  ...(values.against === undefined
    ? []
    : [await turnOf(`${OPEN}, the other version`, values.against, {})]),
  await turnOf(OPEN, HERE, {}),
  await turnOf('API key', HERE, LOCKED, async () => apiKey),
  await turnOf('token that is known', HERE, LOCKED, async () => known),
  await turnOf('API key, 20 rules', HERE, RULED, async () => apiKey),
  await turnOf('token that is known, 20 rules', HERE, RULED, async () => known),
]
for (const alg of ALGORITHMS) {
  turns.push(await turnOf(`first call of a token, ${alg}`, HERE, LOCKED, () => token(alg)))
}
for (let nth = -50; nth < calls; nth++) {
  // Another order in each round: what ran before is part of the time.
  for (let at = 0; at < turns.length; at++) {
    const next = turns[(at * 5 + nth + 50) % turns.length]
    const took = await next?.turn()
    if (nth >= 0 && took !== undefined) next?.times.push(took)
  }
}
const table = new Report().table(
  `Authentication, ${calls} calls each, in turns`,
  '  p50 ms',
  '  added',
  'what',
)
const base = median(turns.find(({ what }) => what === OPEN)?.times ?? [])
for (const { what, times } of turns) {
  const p50 = median(times)
  table.row(milliseconds(p50), milliseconds(p50 - base), what)
}
for (const { host } of turns) await host.close()
await rm(folder, { recursive: true })
