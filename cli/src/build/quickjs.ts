/** Components with our own engine: Wizer evaluates the bundle with it, and the state it leaves becomes the component. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { engineFile } from '#engine'
import wizer from '@bytecodealliance/wizer'
import { withoutNames, withoutUnusedCode } from 'ftl-host'
import { visible } from '../terminal/visible-text.ts'
import type { Bundle } from './bundle.ts'
import { limitComputing } from './computing-limit.ts'
import { findChance } from './random-while-built.ts'
import { endWithParent } from './end-with-parent.ts'
import { readReport } from './engine-report.ts'
import { refusals, type Withheld } from './withheld.ts'
import type { WitWorld } from './world.ts'

/** A module that computes longer at its top level is in a loop without an end: the largest one takes a second. */
const LIMIT_MS = 20_000

/** Characters kept of what the engine prints, half of them the last ones: a module may print without end. */
const OUTPUT_LIMIT = 64 * 1024

/** Is raised when the same engine and bundle give another component: what was built before is built again then. */
const FORM = 2

export interface BuilderInput {
  /** The component's name in `spin.toml`. */
  id: string
  made: Bundle
  wit: WitWorld
  /** Interfaces that the component must not import. @default none */
  withheld?: readonly Withheld[]
  /** A folder of its own for this build, removed afterwards. */
  folder: string
  /** Called with each problem that does not stop the build and may be a mistake. */
  onWarning: (warning: string) => void
}

interface Builder {
  /** Changes when the same bundle would become another component. */
  version(): Promise<string>
  /** @throws {Error} whose message is what the engine has said; frames name the bundle as `ID.js:LINE:COLUMN`. */
  build(input: BuilderInput): Promise<Uint8Array>
}

export const quickjs = quickjsBuilder()

/** @param limitMs for tests. */
export function quickjsBuilder(limitMs = LIMIT_MS): Builder {
  return {
    version: async () => `quickjs ${FORM} ${(await engineFile()).sha256}`,
    build: (input) => build(input, limitMs),
  }
}

async function build(
  { id, made, wit, withheld = [], folder, onWarning }: BuilderInput,
  limitMs: number,
): Promise<Uint8Array> {
  const core = join(folder, `${id}.core.wasm`)
  const { path } = await engineFile()
  const { logged, reported } = await evaluate([path, '-o', core], made.code, id, limitMs)
  const { error, packages, lines } = findChance(reported, id, made)
  if (error !== undefined) throw new Error(error)
  for (const name of packages) {
    onWarning(
      `the package "${name}" calls Math.random() when it is loaded: what it does with that number is the same in every call`,
    )
  }
  const said = [...logged.split('\n').filter(Boolean), ...lines]
  if (said.length > 0) onWarning(`prints while it is built, and not in a call:${shortened(said)}`)
  const adapter = await readFile(wit.adapter)
  // Loaded only here: often everything is up to date, and nothing is built.
  const { componentNew } = await import('#wasm-tools')
  const component = await componentNew(withoutUnusedCode(await readFile(core)), [
    ['wasi_snapshot_preview1', adapter],
    ...refusals(withheld),
  ])
  // The adapter has its names until here: `componentNew` finds its stack by them.
  return withoutNames(component)
}

/**
 * Without the environment, so that nothing of this machine gets into the component.
 *
 * @returns what the module has logged, and what the engine has reported; `console.error` writes there, too.
 */
async function evaluate(
  args: string[],
  code: string,
  id: string,
  limitMs: number,
): Promise<{ logged: string; reported: string }> {
  const options = ['--allow-wasi', '--inherit-env', 'false', '--wasm-bulk-memory', 'true']
  const child = spawn(wizer, [...options, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {},
  })
  endWithParent(child)
  limitComputing(child, limitMs)
  const logged = keep(child.stdout)
  const reported = keep(child.stderr)
  // A bundle that cannot be compiled ends the process before it has read everything.
  child.stdin.on('error', () => {}).end(code)
  const status = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', resolve)
  })
  // The limit is the only reason for which this process ends it.
  if (child.killed) {
    throw new Error(
      `the module was not evaluated after ${limitMs / 1000} s: look for an endless loop at its top level`,
    )
  }
  if (status !== 0) throw new Error(readReport(reported(), id))
  return { logged: logged(), reported: reported() }
}

/** @returns the first and the last of what is read. */
function keep(stream: Readable): () => string {
  let first = ''
  let latest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const room = OUTPUT_LIMIT / 2 - first.length
    first += text.slice(0, room)
    latest = (latest + text.slice(room)).slice(-OUTPUT_LIMIT / 2)
  })
  return () => first + latest
}

/** Lines that are shown of what a module prints while it is built, and characters of each. */
const SHOWN_LINES = 5
const SHOWN_CHARACTERS = 200

function shortened(lines: readonly string[]): string {
  const shown = lines
    .slice(0, SHOWN_LINES)
    .map((text) => `\n    ${visible(text.slice(0, SHOWN_CHARACTERS))}`)
  return shown.join('') + (lines.length > SHOWN_LINES ? '\n    … and more' : '')
}
