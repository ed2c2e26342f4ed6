/** Prints lines and progress: colored and updated in place on a terminal, plain elsewhere. */
import { styleText } from 'node:util'
import type { BuildEvent } from './build/index.ts'

type Style = Parameters<typeof styleText>[0]

/** Honours NO_COLOR, FORCE_COLOR and pipes. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}

/** Exits without an error when the reader closes the pipe, as in `ftl tools | head -1`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  }
}

/** Keeps the line of a running step below what is printed. */
export function line(text = ''): void {
  if (running === undefined) process.stdout.write(`${text}\n`)
  else {
    process.stdout.write(`\r\x1b[K${text}\n`)
    running.show()
  }
}

/** The step whose line is being replaced; only one at a time, because all steps share that line. */
let running: { timer: NodeJS.Timeout; show: () => void } | undefined

/** Shows a running step; on a terminal its line is replaced when it is done. */
export function step(text: string): (done: string) => void {
  const terminal = process.stdout.isTTY
  const started = performance.now()
  const show = () => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    process.stdout.write(
      `\r\x1b[K  ${paint('yellow', '…')} ${text} ${paint('dim', `${seconds} s`)}`,
    )
  }
  abandonStep()
  if (terminal) {
    show()
    running = { timer: setInterval(show, 1000).unref(), show }
  } else {
    line(`  … ${text}`)
  }
  return (done) => {
    abandonStep()
    line(`  ${paint('green', '✓')} ${done}`)
  }
}

/** Removes the line of the running step, before something else is printed. */
export function abandonStep(): void {
  if (running === undefined) return
  clearInterval(running.timer)
  running = undefined
  process.stdout.write('\r\x1b[K')
}

/** Shows the progress of a build, one line per component. */
export function buildReporter({ quietWhenCached = false } = {}): (event: BuildEvent) => void {
  let finish: ((done: string) => void) | undefined
  return ({ id, state, warning, milliseconds = 0, bundleBytes = 0, wasmBytes = 0, left = 1 }) => {
    if (state === 'warning') {
      line(`  ${paint('yellow', '!')} ${id}: ${warning}`)
    } else if (state === 'cached') {
      if (!quietWhenCached) line(`  ${paint('green', '✓')} ${id} ${paint('dim', 'is up to date')}`)
    } else if (state === 'failed') {
      abandonStep()
      finish = undefined
    } else if (state === 'building') {
      finish = step(`building ${id}${left > 1 ? ` (${left} to go)` : ''}`)
    } else {
      const size = `${(bundleBytes / 1024).toFixed(0)} KB of JavaScript, ${(wasmBytes / 1e6).toFixed(1)} MB component`
      finish?.(`${id} ${paint('dim', `built in ${(milliseconds / 1000).toFixed(1)} s: ${size}`)}`)
    }
  }
}

/** Shows the preparation of several components at a time as one step. */
export function prepareReporter(): (event: { component: string; state: string }) => void {
  const open = new Set<string>()
  let finish: ((done: string) => void) | undefined
  let started = 0
  let count = 0
  return ({ component, state }) => {
    if (state === 'preparing') {
      open.add(component)
      count++
      if (finish) return
      started = performance.now()
      finish = step('preparing components for this machine')
    } else if (state === 'prepared' && open.delete(component) && open.size === 0) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      finish?.(
        `${count} component${count === 1 ? '' : 's'} ${paint('dim', `prepared in ${seconds} s`)}`,
      )
      finish = undefined
      count = 0
    }
  }
}

/** Between two updates of the line that shows how much of a file has arrived. */
const PROGRESS_INTERVAL_MS = 200
const MEGABYTE = 1_000_000

/** Shows on a terminal how much of a file has arrived. */
export interface ProgressLine {
  show: (bytes: number, total: number | undefined) => void
  clear: () => void
}

/** @param out @default standard error */
export function progressLine(
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ProgressLine {
  let shownAt = 0
  return {
    show(bytes, total) {
      const now = performance.now()
      if (!out.isTTY || (shownAt > 0 && now - shownAt < PROGRESS_INTERVAL_MS && bytes !== total))
        return
      shownAt = now
      const of = total === undefined ? '' : ` of ${megabytes(total)}`
      out.write(`\r\x1b[K… saving ${megabytes(bytes)}${of} MB`)
    },
    clear() {
      if (shownAt > 0) out.write('\r\x1b[K')
      shownAt = 0
    },
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1)
}
