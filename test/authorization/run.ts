// Checks the authorization of an MCP server, from outside. Run: npm run authorization -- --url URL. See --help.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startIssuer } from './issuer.ts'
import type { Target } from './lab.ts'
import { FORMATS, report } from './report.ts'
import { NotConfigured, type Result, runServerRows, runSuite, scoreOf } from './suite.ts'
import { type Algorithm, ALGORITHMS, createKey, keyFromJwk, privateJwk } from './tokens.ts'

const HELP = `npm run authorization -- --url https://server.example/mcp [options]
npm run authorization -- --authorization-server https://server.example --user NAME [options]

Checks the authorization of an MCP server against the specification (2026-07-28) and the RFCs that it names. The suite
is an authorization server itself: configure the server under test so that it accepts tokens of --issuer-url.

  --url URL             endpoint of the server under test
  --issuer-listen ADDR  where the suite's authorization server listens; default 127.0.0.1:9400
  --issuer-url URL      its address for the server under test; default http://ADDR
  --issuer-mode MODE    how the server gets the keys. discovery: by the issuer's metadata. jwks: from the address
                        {issuer-url}/keys. pinned: it has a copy, so rows about changing keys are left out (needs --keys)
  --keys FILE           private key of the suite, created if absent, with FILE.public.json for pinning;
                        default: a new key in each run
  --algorithm NAME      ${ALGORITHMS.join(', ')}; default RS256
  --audience URI        aud of valid tokens; default --url
  --scope "A B"         scopes that every request needs; default none
  --origin ORIGIN       an origin whose pages the server allows
  --other-audience URI  aud of a second issuer that the server trusts, which must be valid from that issuer alone
  --other-listen ADDR   where the second issuer listens; default 127.0.0.1:9401
  --introspects         the server asks the issuer about opaque tokens, at {issuer-url}/introspect, as client "suite" with the
                        secret "only-for-the-suite"
  --dpop                the server takes tokens that are bound to a key, with their proof (RFC 9449)
  --wait SECONDS        how long the server may take to accept the first token, and later a new key; default 65
  --only PREFIX         rows whose id begins so, such as token.

  --authorization-server URL  checks this authorization server instead. Clients must be able to register themselves
  --user NAME           the user who signs in and allows the clients of the suite; the pass phrase is FTL_PASS_PHRASE
  --resource URI        what tokens are asked for; default none. With --scope, a scope that the user may grant

  --format FORMAT       ${FORMATS.join(', ')}
  --help

Ends with 0 if no row failed, with 1 if one did, and with 2 if the suite could not run.`

const oneOf = <T extends string>(name: string, value: string, list: readonly T[]): T => {
  const found = list.find((one) => one === value)
  if (found === undefined) throw new Error(`--${name} must be one of ${list.join(', ')}`)
  return found
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  return 2
})

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: {
      url: { type: 'string' },
      'issuer-listen': { type: 'string', default: '127.0.0.1:9400' },
      'issuer-url': { type: 'string' },
      'issuer-mode': { type: 'string', default: 'discovery' },
      keys: { type: 'string' },
      algorithm: { type: 'string', default: 'RS256' },
      audience: { type: 'string' },
      scope: { type: 'string', default: '' },
      origin: { type: 'string' },
      'authorization-server': { type: 'string' },
      user: { type: 'string', default: '' },
      resource: { type: 'string' },
      'other-audience': { type: 'string' },
      'other-listen': { type: 'string', default: '127.0.0.1:9401' },
      dpop: { type: 'boolean', default: false },
      introspects: { type: 'boolean', default: false },
      wait: { type: 'string', default: '65' },
      only: { type: 'string', default: '' },
      format: { type: 'string', default: 'table' },
      help: { type: 'boolean', default: false },
    },
  })
  if (flags.help) {
    process.stdout.write(`${HELP}\n`)
    return 0
  }
  const { url, keys: file, resource, 'authorization-server': server } = flags
  if (server !== undefined) {
    const format = oneOf('format', flags.format, FORMATS)
    const passPhrase = process.env['FTL_PASS_PHRASE'] ?? ''
    const person = { user: flags.user, passPhrase }
    const { scope } = flags
    const asked = { ...(resource !== undefined && { resource }), ...(scope !== '' && { scope }) }
    return print(await runServerRows({ issuer: server, person, ...asked }, flags.only), format)
  }
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Error('--url must be the http or https address of an MCP endpoint; see --help')
  }
  const mode = oneOf('issuer-mode', flags['issuer-mode'], ['discovery', 'jwks', 'pinned'])
  const format = oneOf('format', flags.format, FORMATS)
  const algorithm = oneOf('algorithm', flags.algorithm, ALGORITHMS)
  if (mode === 'pinned' && file === undefined) throw new Error('--issuer-mode pinned needs --keys')
  const waitSeconds = Number(flags.wait)
  if (!(waitSeconds >= 0)) throw new Error('--wait must be a number of seconds')
  const listen = addressOf('issuer-listen', flags['issuer-listen'])
  const otherListen = addressOf('other-listen', flags['other-listen'])

  const target: Target = {
    url,
    audience: flags.audience ?? url,
    scopes: flags.scope.split(' ').filter((scope) => scope !== ''),
    pinned: mode === 'pinned',
    introspects: flags.introspects,
    dpop: flags.dpop,
    waitSeconds,
    ...(flags.origin !== undefined && { origin: flags.origin }),
  }
  const key = file === undefined ? createKey(algorithm) : await keyIn(file, algorithm)
  const publicUrl = flags['issuer-url']
  const issuer = await startIssuer({
    algorithm: key.algorithm,
    ...listen,
    key,
    ...(publicUrl !== undefined && { publicUrl }),
  })
  const audience = flags['other-audience']
  const second =
    audience === undefined
      ? undefined
      : await startIssuer({ algorithm: key.algorithm, ...otherListen })
  if (second && audience !== undefined) target.other = { issuer: second, audience }
  try {
    process.stderr.write(`Issuer ${issuer.url}, keys at ${issuer.jwksUri}\n`)
    if (second) process.stderr.write(`Second issuer ${second.url}, for ${audience}\n`)
    const results = await runSuite(target, issuer, {
      only: flags.only,
      onWait: (advice) => process.stderr.write(`${advice}\nWaiting for ${waitSeconds} s …\n`),
    })
    return print(results, format)
  } catch (error) {
    if (!(error instanceof NotConfigured)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  } finally {
    await issuer.close()
    await second?.close()
  }
}

/** @throws {Error} */
function addressOf(name: string, text: string): { host: string; port: number } {
  const [, host, port] = /^(.+):(\d+)$/.exec(text) ?? []
  if (host === undefined) throw new Error(`--${name} must be an address such as 127.0.0.1:9400`)
  return { host, port: Number(port) }
}

/** @returns the exit code. */
function print(results: readonly Result[], format: (typeof FORMATS)[number]): number {
  process.stdout.write(`${report(results, format)}\n`)
  const { MUST, SHOULD } = scoreOf(results)
  return MUST[0] === MUST[1] && SHOULD[0] === SHOULD[1] ? 0 : 1
}

async function keyIn(file: string, algorithm: Algorithm) {
  if (existsSync(file)) {
    return keyFromJwk(JSON.parse(await readFile(file, 'utf8')) as Parameters<typeof keyFromJwk>[0])
  }
  const key = createKey(algorithm)
  await writeFile(file, JSON.stringify(privateJwk(key)), { mode: 0o600 })
  await writeFile(`${file}.public.json`, JSON.stringify({ keys: [key.publicJwk] }))
  return key
}
