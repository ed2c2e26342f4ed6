/**
 * The order in which guests get a thread that has more to do than it can.
 *
 * Hundreds of guests that wait for a clock would otherwise all go on in one turn of the event loop, and a request that
 * takes ten turns would wait ten times for all of them. So a turn lets few go on: first those that work for a young
 * request, then requests that have not begun, then those that have been under way for long.
 *
 * On a thread for guests that compute, age says nothing: there the share with least of it goes first.
 */
import { DecayingSums } from '../limits/decaying-sums.ts'
import { turnIsOver } from './guest-timers.ts'

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

/** Milliseconds after which half of the processor time that a key has had is forgotten. */
const SHARES_HALF_LIFE_MS = 10_000

/** Guests that may go on in one turn, if each is quick. */
const PER_TURN = 8

interface Waiting {
  since: number
  key: string
  run: () => void
}

const lanes: Record<Lane, Waiting[]> = { young: [], new: [], old: [] }
/** Steps of this turn that are still to come. */
let left = 0
let went = false
let nth = 0
/** On a thread for guests that compute. */
let shares: DecayingSums | undefined
let readCpuMs = () => 0
/** Who has the thread, and its processor time when that began. */
let current: { key: string; cpuMs: number } | undefined

/** From now on, each key gets its share of this thread. @param cpuMs processor time of the thread */
export function shareByKey(cpuMs: () => number): void {
  shares ??= new DecayingSums(SHARES_HALF_LIFE_MS)
  readCpuMs = cpuMs
}

/**
 * Whether a guest may go on right now: the turn is not over, and no guest waits that comes before it.
 *
 * @param since when its request began, by `performance.now()`.
 * @param key whose share of the thread it takes if it may, where there are shares.
 */
export function mayGoOn(since: number, key = ''): boolean {
  if (turnIsOver()) return false
  if (shares) {
    if (lanes.young.length + lanes.new.length + lanes.old.length > 0) return false
    if (current?.key !== key) hasThread(key, shares)
    return true
  }
  if (lanes.young.length === 0 && lanes.new.length === 0) return true
  return performance.now() - since < YOUNG_MS
}

/**
 * Calls `run` in one of the next turns.
 *
 * @param since when its request began, by `performance.now()`. @default it has not begun
 * @param key whose share of the thread it takes, where there are shares.
 */
export function inLane(run: () => void, since?: number, key = ''): void {
  const age = performance.now() - (since ?? 0)
  const lane = since === undefined ? 'new' : age < YOUNG_MS ? 'young' : 'old'
  lanes[lane].push({ since: since ?? 0, key, run })
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
  if (shares) return runLeastServed(shares)
  for (const lane of ORDER[nth++ % ORDER.length] ?? []) {
    const next = lane === 'old' ? nextOld() : lane === 'new' ? nextNew() : lanes[lane].shift()
    if (next) return next.run()
  }
}

// A burst that has waited for a second waits a little longer, and a request that has just come does not wait for all of it.
function nextNew(): Waiting | undefined {
  return nth % FIFO_EVERY === 0 ? lanes.new.shift() : lanes.new.pop()
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

/** What the thread has computed since the last call counts for the key of that one. */
function hasThread(key: string, shares: DecayingSums): void {
  const cpuMs = readCpuMs()
  if (current) shares.add(current.key, cpuMs - current.cpuMs, performance.now())
  current = { key, cpuMs }
}

// Those that have begun go before new ones of the same key: they hold an instance.
function runLeastServed(shares: DecayingSums): void {
  if (current) hasThread(current.key, shares)
  const waiting = [...lanes.old, ...lanes.young, ...lanes.new]
  const keys = waiting.map(({ key }) => key)
  const next = waiting[waiting.length > 0 ? shares.least(keys, performance.now()) : -1]
  if (next === undefined) return
  hasThread(next.key, shares)
  for (const lane of Object.values(lanes)) {
    const at = lane.indexOf(next)
    if (at >= 0) lane.splice(at, 1)
  }
  next.run()
}
