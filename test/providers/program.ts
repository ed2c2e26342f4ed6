/** A program that serves HTTP, as a process of its own. */
import { spawn } from 'node:child_process'

export interface ProgramOptions {
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** An address that answers with 200 as soon as it is ready. */
  ready: string
  /** A busy machine takes its time. @default ten minutes */
  limitMs?: number
}

export interface Program {
  /** Everything printed so far. */
  output(): string
  close(): Promise<void>
}

/** @throws {Error} with what it has printed, if it ends or takes too long. */
export async function startProgram(path: string, options: ProgramOptions): Promise<Program> {
  const { args, env = {}, cwd, ready, limitMs = 10 * 60_000 } = options
  // In a group of its own, because some are scripts that start others.
  const child = spawn(path, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  let problem: string | undefined
  const add = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000))
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  child.on('error', ({ message }) => (problem = message))
  const ended = new Promise<void>((resolve) => {
    child.on('close', (code) => {
      problem ??= `it ended with ${code}`
      resolve()
    })
  })
  async function close(): Promise<void> {
    if (problem === undefined && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  const until = Date.now() + limitMs
  while (!(await answers(ready))) {
    if (Date.now() > until) problem ??= `no answer within ${limitMs / 1000} s`
    if (problem !== undefined) {
      const reason = problem
      problem = undefined
      if (child.exitCode === null) await close()
      throw new Error(`${path}: ${reason}\n${output}`)
    }
    await new Promise((wake) => setTimeout(wake, 200))
  }
  return { output: () => output, close }
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(address, { signal: AbortSignal.timeout(10_000) })).ok
  } catch {
    return false
  }
}
