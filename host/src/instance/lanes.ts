/**
 * The order in which guests get a thread that has more to do than it can.
 *
 * Hundreds of guests that wait for a clock would otherwise all go on in one turn of the event loop, and a request that
 * takes ten turns would wait ten times for all of them. So a turn lets few go on: first those that work for a young
 * request, then requests that have not begun, then those that have been under way for long.
 */
import { turnIsOver } from './readiness.ts'

type Lane = 'young' | 'new' | 'old'

/** Milliseconds after which a request is no longer young. */
const YOUNG_MS = 100

/** Which lane goes first, in turns: each one gets its share however full the others are. */
const ORDER: readonly (readonly Lane[])[] = [
  ['young', 'new', 'old'],
  ['young', 'new', 'old'],
  ['young', 'new', 'old'],
  ['new', 'young', 'old'],
  ['young', 'new', 'old'],
  ['old', 'young', 'new'],
]

/** How often the one of the last lane goes on that has waited longest, and not the one whose request is youngest. */
const FIFO_EVERY = 3

/** Guests that may go on in one turn, if each is quick. */
const PER_TURN = 8

interface Waiting {
  since: number
  run: () => void
}

const lanes: Record<Lane, Waiting[]> = { young: [], new: [], old: [] }
/** Steps of this turn that are still to come. */
let left = 0
let went = false
let nth = 0

/**
 * Whether a guest may go on right now: the turn is not over, and no guest waits that comes before it.
 *
 * @param since when its request began, by `performance.now()`.
 */
export function mayGoOn(since: number): boolean {
  if (turnIsOver()) return false
  if (lanes.young.length === 0 && lanes.new.length === 0) return true
  return performance.now() - since < YOUNG_MS
}

/**
 * Calls `run` in one of the next turns.
 *
 * @param since when its request began, by `performance.now()`. @default it has not begun
 */
export function inLane(run: () => void, since?: number): void {
  const age = performance.now() - (since ?? 0)
  const lane = since === undefined ? 'new' : age < YOUNG_MS ? 'young' : 'old'
  lanes[lane].push({ since: since ?? 0, run })
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
    const next = lane === 'old' ? nextOld() : lanes[lane].shift()
    if (next) return next.run()
  }
}

// A request that was delayed for a second ends sooner than one that has gone on for a minute, so it goes first.
function nextOld(): Waiting | undefined {
  const { old } = lanes
  if (nth % FIFO_EVERY === 0) return old.shift()
  let youngest = 0
  for (const [index, { since }] of old.entries()) {
    if (since > (old[youngest]?.since ?? 0)) youngest = index
  }
  return old.splice(youngest, 1)[0]
}
