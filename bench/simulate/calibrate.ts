/** From what was measured to what a request needs: the simulation's input. */
import type { Demands, DeploymentOptions } from './deployment.ts'
import type { Measured } from './measured.ts'
import { simulate } from './traffic.ts'

/** What a request needs, and how much longer its work takes while all cores are busy. */
export interface Needs {
  demands: Demands
  crowding: number
}

const SIMULATED_MS = 5000

/**
 * @param alone one connection: what a request needs by itself.
 * @param crowded a load that keeps all cores busy.
 */
export function calibrate(alone: Measured, crowded: Measured, options: DeploymentOptions): Needs {
  const crowding = Math.max(1, workMs(crowded.demands) / workMs(alone.demands))
  // A store that is busy needs less for a command than one that wakes up for each.
  const demands = { ...alone.demands, storeMs: crowded.demands.storeMs }
  const closed = { demands, connections: 1 }
  const { p50 } = simulate({ ...options, crowding }, { closed }, SIMULATED_MS)
  return { crowding, demands: timed(demands, alone.meanMs - p50) }
}

/** @param missingMs what a request takes longer than its work. Less than nothing: a part of the work comes later. */
export function timed(demands: Demands, missingMs: number): Demands {
  if (missingMs >= 0) return { ...demands, waitMs: missingMs }
  const afterMs = Math.min(-missingMs, demands.workerMs)
  return { ...demands, afterMs, workerMs: demands.workerMs - afterMs }
}

/** Milliseconds of a core for one request, of all parts. */
const workMs = (demands: Demands): number => serialMs(demands) + demands.besideMs

/** What of it a request waits for. */
export const serialMs = ({ clientMs, mainMs, workerMs, commands, storeMs }: Demands): number =>
  clientMs + mainMs + workerMs + commands * storeMs
