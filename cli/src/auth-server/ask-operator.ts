/** Asks the component `auth` what its users have allowed: sealed with `auth_server_key`, as components/auth seals. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'

export interface OperatorServer {
  /** Address of the server, without a path. */
  url: string
  /** `auth_server_key`. */
  key: string
}

export interface ListedGrant {
  /** Digest of the client's id. */
  client: string
  name: string
  place: string
  created: number
  used: number
  signIns: readonly { scopes: readonly string[]; resource: string; until: number }[]
}

export interface ListedUser {
  sub: string
  name: string
  groups: readonly string[]
  grants: readonly ListedGrant[]
}

export interface Question {
  /** `sub` of a user, or to list a name. @default all, to list */
  user?: string | undefined
  /** @default all */
  client?: string | undefined
  revoke?: boolean
}

const PATH = '/auth/operator'
const VALID_MS = 2 * 60_000
const TIMEOUT_MS = 30_000
const IV_BYTES = 12

/** @throws {CommandFailure} */
export async function askOperator(
  { url, key }: OperatorServer,
  question: Question,
): Promise<Readonly<Record<string, unknown>>> {
  const sealKey = await derived(key)
  const body = await seal(sealKey, { ...question, until: Date.now() + VALID_MS })
  let response: Response
  try {
    response = await fetch(new URL(PATH, url), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  } catch (error) {
    const { cause, message } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    throw new CommandFailure(`${url} does not answer: ${reason}. Name its address with --url`)
  }
  const text = await response.text()
  if (response.status === 403)
    throw new CommandFailure(
      `${url} refuses the request: its auth_server_key is another one, or its clock differs by minutes`,
    )
  if (!response.ok)
    throw new CommandFailure(
      `${url} has no component auth that knows this command (${response.status}): build it with this version of ftl`,
    )
  const answer = await open(sealKey, text, body)
  if (!isObject(answer))
    throw new CommandFailure(
      `${url} did not answer this request: its component auth has another version, so build it with this version of ftl, or something between changed the answer`,
    )
  return answer
}

async function derived(secret: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', Buffer.from(secret), 'HKDF', false, [
    'deriveKey',
  ])
  const info = Buffer.from('operator')
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: Buffer.from('ftl auth server 1'), info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

async function seal(key: CryptoKey, value: object): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const algorithm = { name: 'AES-GCM', iv, additionalData: Buffer.from('request') }
  const plain = Buffer.from(JSON.stringify(value))
  const sealed = await crypto.subtle.encrypt(algorithm, key, plain)
  return Buffer.concat([iv, Buffer.from(sealed)]).toString('base64url')
}

/** @returns `undefined` if the text is not the answer to this request. */
async function open(key: CryptoKey, text: string, request: string): Promise<unknown> {
  const bytes = Buffer.from(text, 'base64url')
  const iv = bytes.subarray(0, IV_BYTES)
  const algorithm = { name: 'AES-GCM', iv, additionalData: Buffer.from(`answer ${request}`) }
  try {
    const plain = await crypto.subtle.decrypt(algorithm, key, bytes.subarray(IV_BYTES))
    return JSON.parse(new TextDecoder().decode(plain)) as unknown
  } catch {
    return undefined
  }
}
