/** Prints lines and progress: colored and updated in place on a terminal, plain elsewhere. */
import type { BuildEvent } from '../build/index.ts'
import { isTerminal, paint, put, replaceLine } from './terminal.ts'
import { visibleJson } from './visible-text.ts'

export { paint } from './terminal.ts'

/** Keeps the line of a running step below what is printed. */
export function line(text = ''): void {
  if (running === undefined) put(`${text}\n`)
  else {
    replaceLine(`${text}\n`)
    running.show()
  }
}

/** A line for programs, which is the same value on a terminal. */
export function lineJson(value: unknown, indent?: number): void {
  line(visibleJson(JSON.stringify(value, undefined, indent)))
}

/** The step whose line is being replaced; only one at a time, because all steps share that line. */
let running: { timer: NodeJS.Timeout; show: () => void } | undefined

/** Shows a running step; on a terminal its line is replaced when it is done. */
export function step(text: string): (done: string) => void {
  const terminal = isTerminal('stdout')
  const started = performance.now()
  const show = () => {
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    replaceLine(`  ${paint('yellow', '…')} ${text} ${paint('dim', `${seconds} s`)}`)
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
  replaceLine('')
}

/**
 * Shows the progress of a build, one line per component. In a later build, a warning that was shown is shown again only if its
 * component is built.
 */
export function buildReporter({ quietWhenCached = false } = {}): (event: BuildEvent) => void {
  let finish: ((done: string) => void) | undefined
  const shown = new Set<string>()
  const known = new Map<string, Set<string>>()
  const show = (text: string) => line(`  ${paint('yellow', '!')} ${text}`)
  return ({ id, state, warning, milliseconds = 0, bundleBytes = 0, wasmBytes = 0, left = 1 }) => {
    if (state === 'warning') {
      const text = `${id}: ${warning}`
      if (shown.has(text)) known.set(id, new Set(known.get(id)).add(text))
      else show(text)
      shown.add(text)
    } else if (state === 'cached') {
      known.delete(id)
      if (!quietWhenCached) line(`  ${paint('green', '✓')} ${id} ${paint('dim', 'is up to date')}`)
    } else if (state === 'failed') {
      abandonStep()
      finish = undefined
    } else if (state === 'building') {
      for (const text of known.get(id) ?? []) show(text)
      known.delete(id)
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

/** On standard error. */
export function progressLine(): ProgressLine {
  let shownAt = 0
  return {
    show(bytes, total) {
      const now = performance.now()
      const isEarly = shownAt > 0 && now - shownAt < PROGRESS_INTERVAL_MS && bytes !== total
      if (!isTerminal('stderr') || isEarly) return
      shownAt = now
      const of = total === undefined ? '' : ` of ${megabytes(total)}`
      replaceLine(`… saving ${megabytes(bytes)}${of} MB`, 'stderr')
    },
    clear() {
      if (shownAt > 0) replaceLine('', 'stderr')
      shownAt = 0
    },
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1)
}
