/** One row of the table: a way to misbehave, and what each kind of client sees of it. */
import { EXTERNAL_URL } from '../support/application.ts'
import type { Expected } from './expected.ts'

export interface Fault {
  /** Name of the tool, or of the prompt or resource. */
  name: string
  /** What the component does, after its name in the title of the test. */
  how: string
  /** What each kind of client sees. */
  expected: Expected
  /** Time limit in milliseconds, from the request to the last byte. */
  maxMs: number
  /** @default 'tools/call' */
  method?: string
  /** @default the tool `name` with no arguments */
  params?: Readonly<Record<string, unknown>>
  /** Progress numbers that a listening client sees; without it, no client listens. */
  progress?: readonly unknown[]
  /** Costs so much work that the clients send their requests one after the other. @default false */
  alone?: boolean
  /** What the client must not see and the host's log must contain. */
  logged?: string | RegExp
  /** Bytes the whole host may grow by. */
  maxGrowth?: number
}

/** Of the fixtures' manifest. */
export const CALL_TIMEOUT_MS = 3000
export const DISCOVERY_TIMEOUT_MS = 1000
/** Given to the embedded host. */
export const MAX_BLOCKING_MS = 3000

/**
 * A fault that is seen at once: measured 5 to 50 ms, here with room for a busy machine. Spin is slower: up to 2.2 s where
 * three other builds and test runs shared two cores, and still before the deadline.
 */
export const AT_ONCE = EXTERNAL_URL === undefined ? 1500 : CALL_TIMEOUT_MS - 100
/** A fault that only the deadline ends. */
export const AT_DEADLINE = CALL_TIMEOUT_MS + 1000
/** A gigabyte is ended after 8 MiB, memory after 128 MiB: measured 30 to 500 ms a call. */
export const AFTER_WORK = { maxMs: 4000, alone: true } as const

/** Part of the errors and data of broken components; a client must never see it. */
export const SECRET = 'secret-in-a-stack'

/** Signs of internals: the secret, a stack, a path, an address of the application's own network. */
export const LEAK = /secret|\.spin\.internal|\.wasm|\.ftl|\.[cm]?[jt]s:\d|@\S*:\d+:\d+|\n\s+at /
