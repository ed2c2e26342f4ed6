/**
 * Faults that a test switches on: what a real server, its network or its owner can do to a client.
 *
 * | switch           | what it does                                                                                |
 * | ---------------- | ------------------------------------------------------------------------------------------- |
 * | `delayMs`        | every answer is so many milliseconds late                                                   |
 * | `historyDelayMs` | between the event of success and the entry in history                                       |
 * | `lateOutputs`    | the next looks at finished prompts show no outputs, or an empty history                     |
 * | `auth`           | every request needs this header with this value (a WebSocket: or `?token=`), else 401       |
 * | `loseReplies`    | the next submits are accepted, and the connection is closed instead of an answer            |
 * | `loseRequests`   | the next submits are not read: the connection is closed                                     |
 * | `badGateway`     | the next requests get 502 and a page of HTML, as from a proxy                               |
 * | `outOfMemory`    | the next prompts fail in their first node for want of memory                                |
 * | `maxBodyBytes`   | larger bodies are answered with 413                                                         |
 * | `foreignPrompts` | so many long prompts of somebody else run and wait; 0 takes them away                       |
 *
 * Over HTTP: `POST /simulator/faults` with some of them as JSON. `"restart": true` forgets queue and history, as a
 * restarted server does. `"reset": true` ends all faults. POST and GET answer with the faults that are switched on. A
 * version has these by itself, without a switch: 403 for pages of other sites, a deaf older socket, broadcasts of the
 * progress of others, `node_errors` on 200, and a pending prompt that is gone after its cancel.
 */
import { isObject } from 'ftl-contract'
import { MAX_BODY_BYTES } from './version.ts'

export interface Faults {
  /** @default 0 */
  delayMs: number
  /** @default 4 */
  historyDelayMs: number
  /** A number of looks. @default 0 */
  lateOutputs: number
  /** @default null */
  auth: { header: string; value: string } | null
  /** A number of submits. @default 0 */
  loseReplies: number
  /** A number of submits. @default 0 */
  loseRequests: number
  /** A number of requests. @default 0 */
  badGateway: number
  /** A number of prompts. @default 0 */
  outOfMemory: number
  /** @default 104_857_600 */
  maxBodyBytes: number
  /** @default 0 */
  foreignPrompts: number
}

type Counter = {
  [Name in keyof Faults]: Faults[Name] extends number ? Name : never
}[keyof Faults]

export function noFaults(): Faults {
  return {
    delayMs: 0,
    historyDelayMs: 4,
    lateOutputs: 0,
    auth: null,
    loseReplies: 0,
    loseRequests: 0,
    badGateway: 0,
    outOfMemory: 0,
    maxBodyBytes: MAX_BODY_BYTES,
    foreignPrompts: 0,
  }
}

/** Uses one occurrence of a fault. @returns whether one was left. */
export function take(faults: Faults, name: Counter): boolean {
  if (faults[name] <= 0) return false
  faults[name]--
  return true
}

/** @returns the switches, or what is wrong with them. */
export function readFaults(value: unknown): Partial<Faults> | string {
  if (!isObject(value)) return 'not an object'
  const known = noFaults()
  for (const [name, setting] of Object.entries(value)) {
    if (!Object.hasOwn(known, name)) {
      return `no switch "${name}"; there are ${Object.keys(known).join(', ')}`
    }
    if (name === 'auth' ? !isAuth(setting) : !isCount(setting)) return `"${name}" is no such value`
  }
  return value
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isAuth(value: unknown): boolean {
  if (value === null) return true
  const { header, value: key } = Object(value) as Record<string, unknown>
  return typeof header === 'string' && typeof key === 'string'
}
