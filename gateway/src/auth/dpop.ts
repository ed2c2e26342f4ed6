/**
 * Tokens that are bound to a key of their client (DPoP): each request brings a proof that its sender has the key. `ftl build`
 * leaves this out of the gateway of an application that does not pass `auth_dpop` to it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9449
 */
import { isObject, isString, memberOf } from 'ftl-contract'
import { addressOf, type SettingVariables, sha256, toBase64, urlIn, urlSafe } from 'ftl-http'
import type { Caller } from '../caller.ts'
import { changeEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import type { Settings } from '../settings.ts'
import { audienceOf } from './audience.ts'
import { bearerOf, type Presented } from './bearer.ts'
import { invalid, InvalidToken } from './invalid-token.ts'
import { fits, isSignedBy, publicJwk } from './jwk.ts'
import { decodeJwt, type Jwt, type Members, stringOf } from './jwt.ts'

export interface DpopSettings {
  /** `auth_dpop`: `true` accepts tokens that are bound to a key, with the proof of DPoP. @default 'false' */
  readonly authDpop: boolean
}

declare module '../settings.ts' {
  interface Settings extends DpopSettings {}
}

export const dpopVariables: SettingVariables<DpopSettings> = {
  authDpop: [
    'auth_dpop',
    (text, refuse) =>
      /^(true|false)?$/.test(text) ? text === 'true' : refuse('must be true or false'),
  ],
}

const SCHEME = /^dpop(?: |$)/i
const CREDENTIALS = /^dpop +([A-Za-z0-9._~+/-]+=*) *$/i
const THUMBPRINT = /^[\w-]{43}$/
/** Begins each message about a proof. */
const PROOF = 'The DPoP proof'

/** Milliseconds for which a proof is good, besides the difference between clocks. */
const PROOF_MS = 60_000
const LONGEST_ID = 256
/**
 * Proofs that are remembered in each of 4096 places. A full place takes no further proof before one of its own is too old: a caller
 * can choose ids for a place, and one that was forgotten could be used again.
 */
const MOST_OF_PLACE = 64

/** The token of a request, by either scheme. */
export function credentialsOf(request: Request): Presented {
  const header = request.headers.get('authorization') ?? ''
  const presented = bearerOf(request)
  if (presented || !SCHEME.test(header)) return presented
  const [, token] = CREDENTIALS.exec(header) ?? []
  return token === undefined
    ? { malformed: 'The header Authorization must have one token behind DPoP' }
    : { token }
}

/** The key that a token is bound to, if it is bound to nothing else. */
export function thumbprintIn(cnf: unknown): string | undefined {
  if (!isObject(cnf) || Object.keys(cnf).length !== 1) return undefined
  const jkt = memberOf(cnf, 'jkt')
  return isString(jkt) && THUMBPRINT.test(jkt) ? jkt : undefined
}

/** Behind the challenge for bearer tokens. @param message of the refusal */
export function dpopChallenge({ authDpop, authAlgorithms }: Settings, message: string): string {
  if (!authDpop) return ''
  const error = message.startsWith(PROOF)
    ? `error="invalid_dpop_proof", error_description="${message}", `
    : ''
  return `, DPoP ${error}algs="${authAlgorithms.join(' ')}"`
}

/** Of the metadata of this server. */
export const dpopMetadata = ({ authDpop, authAlgorithms }: Settings): object =>
  authDpop ? { dpop_signing_alg_values_supported: authAlgorithms } : {}

/**
 * Checks that the token came by the scheme that it is for, and with a proof if it is bound to a key.
 *
 * @throws {InvalidToken} {ConfigurationError}
 */
export async function checkProof(
  request: Request,
  scope: Scope,
  token: string,
  { jkt }: Caller,
): Promise<void> {
  const isDpop = SCHEME.test(request.headers.get('authorization') ?? '')
  if (jkt === undefined) {
    if (isDpop) throw invalid('is not bound to a key, so it must be sent as a bearer token')
    return
  }
  if (!scope.settings.authDpop)
    throw invalid('is bound to a key (cnf), which is not supported', 'auth_dpop is not true')
  if (!isDpop) throw invalid('is bound to a key (cnf), so it must be sent with a DPoP proof')
  const jwt = proofOf(request)
  const { claims } = jwt
  await checkSignature(jwt, scope.settings, jkt)
  if (stringOf(claims, 'htm') !== request.method) throw problem('is for another method (htm)')
  checkAddress(request, scope.settings, claims)
  if (stringOf(claims, 'ath') !== fromHex(await sha256(token)))
    throw problem('is for another token (ath)')
  const id = stringOf(claims, 'jti') ?? ''
  if (id === '' || id.length > LONGEST_ID) throw problem('needs an id (jti)')
  const until = endOf(claims, scope)
  if (!(await isFirst(scope, await sha256(`${jkt} ${id}`), until)))
    throw problem('was used before, or there are too many with a similar id (jti): make a new one')
}

const problem = (what: string, detail?: string) => new InvalidToken(`${PROOF} ${what}`, detail)

/** @throws {InvalidToken} */
function proofOf(request: Request): Jwt {
  const text = request.headers.get('dpop')
  if (text === null) throw problem('is missing')
  try {
    return decodeJwt(text)
  } catch {
    throw problem('is not a well-formed JSON Web Token')
  }
}

/** By the key in the header, which must be the one that the token is bound to. @throws {InvalidToken} */
async function checkSignature(
  { header, signature, signed }: Jwt,
  { authAlgorithms }: Settings,
  jkt: string,
): Promise<void> {
  if (stringOf(header, 'typ')?.toLowerCase() !== 'dpop+jwt')
    throw problem('is another kind of token (typ)')
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64'))
    throw problem('requires an extension that is not supported')
  const named = memberOf(header, 'alg')
  const algorithm = authAlgorithms.find((each) => each === named)
  const jwk = memberOf(header, 'jwk')
  const key = isObject(jwk) ? publicJwk(jwk) : undefined
  if (!algorithm || !key || !fits(key, algorithm))
    throw problem('has no public key for an allowed algorithm (alg, jwk)')
  // In this order, and without white space: https://www.rfc-editor.org/rfc/rfc7638#section-3
  const { crv, e, kty, n, x, y } = key
  const members =
    kty === 'RSA' ? { e, kty, n } : kty === 'EC' ? { crv, kty, x, y } : { crv, kty, x }
  if (fromHex(await sha256(JSON.stringify(members))) !== jkt)
    throw problem('is by another key than the one of the token (jkt)')
  if (!(await isSignedBy(key, algorithm, signature, signed)))
    throw problem('has a signature that is not valid')
}

/** Of this server as clients know it, whatever proxy is in front. @throws {InvalidToken} {ConfigurationError} */
function checkAddress(request: Request, settings: Settings, claims: Members): void {
  const server = new URL(audienceOf(request, settings))
  const { pathname } = addressOf(request)
  // Behind a proxy the server's path can be longer than ours.
  const expected = server.origin + server.pathname.replace(/\/(mcp)?$/, '') + pathname
  const given = urlIn(stringOf(claims, 'htu') ?? '')
  if (!given || given.origin + given.pathname !== expected)
    throw problem('is for another address (htu)', `expected ${expected} (auth_audience)`)
}

/** Milliseconds since the epoch. @throws {InvalidToken} */
function endOf(claims: Members, { settings, platform }: Scope): number {
  const issued = memberOf(claims, 'iat')
  const age = typeof issued === 'number' ? platform.now() - issued * 1000 : NaN
  if (!(age >= -settings.authLeewayMs && age <= PROOF_MS + settings.authLeewayMs))
    throw problem('is too old, or of the future (iat)')
  return platform.now() - age + PROOF_MS + settings.authLeewayMs
}

/** Whether the proof was not used yet. The places are a fixed number, so proofs cannot fill the store. */
function isFirst(scope: Scope, digest: string, until: number): Promise<boolean> {
  return changeEntry(scope, `gateway:proof:${digest.slice(0, 3)}`, (value) => {
    const now = scope.platform.now()
    const used = (Array.isArray(value) ? (value as [string, number][]) : []).filter(
      (each) => each[1] > now,
    )
    if (used.length >= MOST_OF_PLACE || used.some((each) => each[0] === digest)) return undefined
    return JSON.stringify([...used, [digest, until]])
  })
}

/** As base64url. */
function fromHex(text: string): string {
  const bytes = (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
  return urlSafe(toBase64(new Uint8Array(bytes)))
}
