// All hostile clients, and callers of all hostile guests, in a process of their own. Started by mixed-load.ts.
import { HOSTILE_CLIENTS, pause } from './hostile-clients.ts'
import { HOSTILE_GUESTS, type HostileGuest } from './hostile-guests.ts'

/** What mixed-load.ts passes. */
export interface AttackersOptions {
  url: string
  /** Names of the attackers that attack. @default all */
  only?: readonly string[]
  /** Between two calls of guests that compute. */
  computingPauseMs: number
}

/**
 * Pauses that leave the machine time for others: what is shown is that harm is contained, and not how many requests a
 * second two cores serve.
 */
const BETWEEN_CALLS_MS = 500
const BETWEEN_ROUNDS_MS = 500
/** Such a caller leaves, which is an attack as well. */
const CALLER_LEAVES_AFTER_MS = 3000

const { url, only, computingPauseMs } = JSON.parse(process.argv[2] ?? '{}') as AttackersOptions
const chosen = ([name]: [string, unknown]) => only === undefined || only.includes(name)
const port = Number(new URL(url).port)
const stop = new AbortController()
const { signal } = stop
/** Rounds or calls, by the attacker. */
const counts: Record<string, number> = {}
const problems: Record<string, string> = {}

async function repeat(name: string, round: () => Promise<void>, pauseMs: number): Promise<void> {
  while (!signal.aborted) await once(name, round, pauseMs)
}

async function once(name: string, round: () => Promise<void>, pauseMs: number): Promise<void> {
  try {
    await round()
  } catch (error) {
    if (!signal.aborted) problems[name] = String(error)
  }
  counts[name] = (counts[name] ?? 0) + 1
  if (counts[name] === 1 && Object.keys(counts).length === names.size) process.send?.('all')
  await pause(pauseMs, signal)
}

/** Any answer will do, and none too. */
async function callGuest(id: string, { paths = ['/'] }: HostileGuest): Promise<void> {
  const path = paths[(counts[id] ?? 0) % paths.length] ?? '/'
  const timeout = AbortSignal.timeout(CALLER_LEAVES_AFTER_MS)
  const headers = { 'x-forwarded-for': '203.0.113.100' }
  await fetch(`${url}/${id}${path}`, { headers, signal: AbortSignal.any([signal, timeout]) })
    .then((response) => response.body?.pipeTo(new WritableStream()))
    .catch(() => {})
}

const guests = Object.entries(HOSTILE_GUESTS).filter(chosen)
const names = new Set(
  [...Object.entries(HOSTILE_GUESTS), ...Object.entries(HOSTILE_CLIENTS)]
    .filter(chosen)
    .map(([name]) => name),
)
const computing = guests.filter(([, { computes }]) => computes)
const waiting = guests.filter(([, { computes }]) => !computes)

async function takeTurns(): Promise<void> {
  while (!signal.aborted && computing.length > 0) {
    for (const [id, guest] of computing) {
      if (signal.aborted) return
      await once(id, () => callGuest(id, guest), computingPauseMs)
    }
  }
}

const all = Promise.all([
  takeTurns(),
  ...waiting.map(([id, guest]) => repeat(id, () => callGuest(id, guest), BETWEEN_CALLS_MS)),
  ...Object.entries(HOSTILE_CLIENTS)
    .filter(chosen)
    .map(([name, client]) => repeat(name, () => client.attack(port, signal), BETWEEN_ROUNDS_MS)),
])

process.on('message', () => {
  stop.abort()
  void all.then(() => {
    process.send?.({ counts, problems })
    process.disconnect?.()
  })
})
// The one who measures has gone.
process.on('disconnect', () => process.exit())
