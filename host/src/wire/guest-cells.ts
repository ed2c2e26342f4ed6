/**
 * The record of the guest that uses a worker's thread, in memory that the main thread shares.
 *
 * A guest that never yields blocks its thread, so the main thread cannot ask it and only reads the last record.
 */

/** Identifies a guest by numbers, which fit into shared memory. */
export interface GuestId {
  /** Id of the request from outside that it works for. */
  readonly request: number
  /** Index of its component in the application. */
  readonly component: number
  /** How many calls to that component the request had made before. */
  readonly nth: number
}

/** Where the guests of a component run, by what they were seen to do. */
export const WARD = {
  /** On the workers that serve everything. */
  ordinary: 0,
  /** Beside others that compute for long. */
  slow: 1,
  /** They took a thread, or were ended. */
  quarantine: 2,
} as const
export type Ward = (typeof WARD)[keyof typeof WARD]

/** What a sender calls of a component. */
export const keyOf = (component: string, sender: string): string => `${component}\n${sender}`

/** Recorded while no guest runs. */
export const NO_GUEST: GuestId = { request: 0, component: 0, nth: 0 }

/** Cells of the shared array. */
export const CELL = {
  heartbeat: 0,
  request: 1,
  component: 2,
  nth: 3,
} as const
export const CELLS = 4
