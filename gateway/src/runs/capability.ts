/**
 * The capability of a run: what the calls of one program may do, sealed so that only the gateway can make one.
 *
 * It is a bearer secret of the code component. A component that has it can call, until it expires, what the
 * caller of the run can call then, and nothing else.
 */
import { isObject } from 'ftl-contract'
import { utf8 } from 'ftl-http'
import type { Caller } from '../caller.ts'
import { isMacOf, macOf } from '../mac.ts'
import type { Scope } from '../scope.ts'
import { sealingKey } from '../sealing-key.ts'

/** Header in which the component gets the capability, and sends it back. */
export const RUN_HEADER = 'ftl-run'

/** What is permitted, and what the calls need to know of the client's request. */
export interface Grant {
  /** UUID of the run; the same in every attempt. */
  run: string
  /** Milliseconds since the epoch; the same in every attempt. */
  startedAt: number
  /** Milliseconds since the epoch: this attempt and the caller's credential end then at the latest. */
  deadline: number
  /** Of the run, in all attempts. */
  maxCalls: number
  /** Number of a run with a journal: 1 for the first attempt. @default 0, no journal */
  attempt: number
  /** Whether another program has called this one, which was saved: it calls no third. @default false */
  nested?: true | undefined
  /** Distinguishes attempts that began at the same time. */
  nonce: string
  /** The caller of `run_code`. @default no authentication */
  caller?: Caller | undefined
  /** The one component that the client's address was about. @default all */
  only?: string | undefined
  /** Origin of the gateway as the client addressed it: of links in results. */
  origin: string
  /** Id of the client's request, for logs. */
  request: string
  client: RunClient
}

/** What the audit log and traces say of the client. */
export interface RunClient {
  agent?: string | undefined
  info?: unknown
  traceparent?: string | undefined
}

/** Characters of a capability: a header of the component contract. */
const LIMIT = 8192

const decoder = new TextDecoder()

/** @throws {CapabilityTooLong} */
export async function sealGrant(scope: Scope, grant: Grant): Promise<string> {
  const bytes = utf8(JSON.stringify(grant))
  const payload = urlSafe(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
  const mac = urlSafe(await macOf(await sealingKey(scope), covered(payload)))
  const text = `${payload}.${mac}`
  if (text.length > LIMIT) throw new CapabilityTooLong()
  return text
}

/** Too much is known of the caller, such as hundreds of groups. */
export class CapabilityTooLong extends Error {
  override readonly name = 'CapabilityTooLong'
  constructor() {
    super(
      'The caller has too many scopes or groups for a run: their capability is over 8192 bytes.',
    )
  }
}

/** @returns `undefined` for a text that this gateway has not sealed. It may have expired. */
export async function openGrant(scope: Scope, text: string | null): Promise<Grant | undefined> {
  const [, payload, mac] = text === null || text.length > LIMIT ? [] : (FORM.exec(text) ?? [])
  if (payload === undefined || mac === undefined) return undefined
  const isOwn = await isMacOf(base64(mac), await sealingKey(scope), covered(payload))
  if (!isOwn) return undefined
  const bytes = Uint8Array.from(atob(base64(payload)), (char) => char.charCodeAt(0))
  const grant: unknown = JSON.parse(decoder.decode(bytes))
  return isObject(grant) ? (grant as unknown as Grant) : undefined
}

const FORM = /^([\w-]+)\.([\w-]{43})$/

/** The prefix `run` separates these seals from other data that is sealed with the same key. */
function covered(payload: string): Uint8Array<ArrayBuffer> {
  return utf8(`run ${payload}`)
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function base64(text: string): string {
  const bare = text.replaceAll('-', '+').replaceAll('_', '/')
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
}
