/** Asks one framework, in a process of its own, what a model would get. */
import { execFile } from 'node:child_process'
import type { Call } from './tools.ts'

export interface Seen {
  loaded: string[]
  failed?: string
  results: Record<string, { text?: string; error?: string }>
}

/** Longer than the longest time that a framework here waits for an answer, and than a busy machine needs to load it. */
const LIMIT_MS = 900_000

export function ask(
  [program, ...first]: [string, ...string[]],
  name: string,
  url: string,
  calls: readonly Call[],
): Promise<Seen> {
  const list = JSON.stringify(calls.map((call) => [call.name, call.args]))
  return new Promise((resolve) => {
    const limits = { timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 }
    execFile(program, [...first, name, url, list], limits, (error, stdout, stderr) => {
      const line = stdout.trim().split('\n').at(-1) ?? ''
      if (line.startsWith('{')) return resolve(JSON.parse(line) as Seen)
      const failed = `${error?.message.split('\n')[0]} ${stderr.trim().split('\n').at(-1)}`
      resolve({ loaded: [], results: {}, failed })
    })
  })
}

/**
 * What is missing, a line each.
 *
 * @param loses calls that it cannot make, or whose result it gives no model, whatever the gateway sends.
 */
export function lostIn(
  { loaded, failed, results }: Seen,
  calls: readonly Call[],
  loses: readonly string[] = [],
): string[] {
  if (loaded.length === 0) return calls.map(({ name }) => `${name}: loads nothing: ${failed}`)
  return calls.flatMap(({ name, says }) => {
    const { text, error } = results[name] ?? { error: `was not called: ${failed}` }
    const got = text ?? error ?? ''
    if (loses.includes(name)) return []
    // An error that the model reads is what a tool gives that fails.
    if (name === 'gives_error' ? says.test(got) : text !== undefined && says.test(text)) return []
    return [`${name}: ${got.slice(0, 160)}`]
  })
}
