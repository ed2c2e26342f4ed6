/**
 * Threads in which text cannot become code: `eval` and `new Function` throw there.
 *
 * V8 takes this from a flag when it makes a thread's context, so the flag stands only while one starts; the program
 * that embeds the host keeps its own `eval`. A worker that this program starts in the same milliseconds has none either.
 */
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'

/** Threads that have no context yet. */
let starting = 0

export function withoutCodeGeneration(start: () => Worker): Worker {
  // A process that was started with the flag keeps it.
  if (process.execArgv.includes(NO_CODE_GENERATION)) return start()
  if (starting++ === 0) setFlagsFromString(NO_CODE_GENERATION)
  let counts = true
  const over = () => {
    if (counts && --starting === 0) setFlagsFromString('--no-disallow-code-generation-from-strings')
    counts = false
  }
  try {
    return start().once('online', over).once('exit', over)
  } catch (error) {
    over()
    throw error
  }
}

/** A flag of Node and of V8. */
export const NO_CODE_GENERATION = '--disallow-code-generation-from-strings'
