/**
 * The order in which guests get a thread that has more to do than it can.
 *
 * Hundreds of guests that wait for a clock would otherwise all go on in one turn of the event loop, and a request that
 * takes ten turns would wait ten times for all of them. So a turn lets few go on: first those that work for a young
 * request, then requests that have not begun, then those that have been under way for long.
 *
 * @module
 */
import { turnIsOver } from './readiness.ts'

export type Lane = 'young' | 'new' | 'old'

/** Milliseconds after which a request is no longer young. */
export const YOUNG_MS = 250

/** Which lane goes first, in turns: each one gets its share however full the others are. */
const ORDER: readonly (readonly Lane[])[] = [
  ['young', 'new', 'old'],
  ['young', 'new', 'old'],
  ['young', 'new', 'old'],
  ['new', 'young', 'old'],
  ['young', 'new', 'old'],
  ['old', 'young', 'new'],
]

/** Guests that may go on in one turn, if each is quick. */
const PER_TURN = 8

const lanes: Record<Lane, (() => void)[]> = { young: [], new: [], old: [] }
/** Steps of this turn that are still to come. */
let left = 0
let went = false
let nth = 0

/** Calls `run` in one of the next turns. */
export function inLane(lane: Lane, run: () => void): void {
  lanes[lane].push(run)
  if (left === 0) planTurn()
}

function planTurn(): void {
  went = false
  left = Math.min(lanes.young.length + lanes.new.length + lanes.old.length, PER_TURN)
  for (let step = 0; step < left; step++) setImmediate(takeStep)
}

// What one step lets go on runs before the next step, so the time it took counts.
function takeStep(): void {
  left--
  if (!turnIsOver() || (left === 0 && !went)) {
    went = true
    runNext()
  }
  if (left === 0) planTurn()
}

function runNext(): void {
  for (const lane of ORDER[nth++ % ORDER.length] ?? []) {
    const run = lanes[lane].shift()
    if (run) return run()
  }
}
