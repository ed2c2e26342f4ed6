/** Linter, format, unused files and types. They run beside the tests, while those wait. */
import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Programs of one lane run one after the other. */
type Lane = readonly (readonly [program: string, ...args: string[]])[]

/**
 * @param changed the files that the linter and the format check look at, or undefined for all. A change in one file can
 *   break a rule about types in another: `npm run test:nightly` looks at all.
 */
export function lanesOf(changed: readonly string[] | undefined): readonly Lane[] {
  const scripts = changed?.filter((file) => /\.[cm]?[jt]sx?$/.test(file))
  // Type-aware rules need as long as all others together, so they have a lane of their own.
  return [
    scripts?.length === 0
      ? []
      : [['eslint', '--concurrency', 'auto', '--no-warn-ignored', ...(scripts ?? ['.'])]],
    [
      ['node', 'node_modules/typescript-native/bin/tsc', '--noEmit'],
      ...(changed?.length === 0 ? [] : [['prettier', '--check', ...(changed ?? ['.'])] as const]),
      ['knip', '--no-progress'],
    ],
  ]
}

/** Words of a command that a report shows. */
const MAX_WORDS = 6

export interface Check {
  /** As one would type it; of many files, their number. */
  command: string
  passed: boolean
  seconds: number
  /** Everything that it printed. */
  output: string
}

export interface RunningChecks {
  /** In the order of the lanes. */
  done: Promise<Check[]>
  /** Ends what runs, and starts no more. */
  stop(): void
}

/**
 * Runs every check, also after one has failed.
 *
 * @param onEnd receives each check when it ends
 */
export function startChecks(lanes: readonly Lane[], onEnd: (check: Check) => void): RunningChecks {
  const running = new Set<ChildProcess>()
  let isOver = false
  const runLane = async (lane: Lane): Promise<Check[]> => {
    const checks: Check[] = []
    for (const [program, ...args] of lane) {
      if (isOver) break
      const check = await runCheck([program, ...args], running)
      if (isOver) break
      onEnd(check)
      checks.push(check)
    }
    return checks
  }
  return {
    done: Promise.all(lanes.map(runLane)).then((all) => all.flat()),
    stop() {
      isOver = true
      for (const child of running) child.kill()
    },
  }
}

function runCheck([program = '', ...args]: string[], running: Set<ChildProcess>): Promise<Check> {
  const command = shortened([program, ...args])
  const started = performance.now()
  // npm puts the folder of these programs on the path.
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  if (child.pid !== undefined) yieldToTests(child.pid)
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      running.delete(child)
      const seconds = (performance.now() - started) / 1000
      resolve({ command, passed, seconds, output: output.trim() })
    }
    child.once('error', ({ message }) => {
      output += message
      end(false)
    })
    child.once('close', (code) => end(code === 0))
  })
}

function shortened(words: readonly string[]): string {
  const [few, rest] = [words.slice(0, MAX_WORDS), words.length - MAX_WORDS]
  return rest > 0 ? `${few.join(' ')} and ${rest} more` : few.join(' ')
}

/** A test may measure time: a check gets only the processor time that no test wants. */
function yieldToTests(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended, or this system does not allow it.
  }
}
