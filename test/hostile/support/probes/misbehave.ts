/**
 * Loaded into each worker (`workerImports`): has one worker do what no guest should be able to.
 *
 * It stands for a fault of the engine that is not known yet. The loop of garbage-collected WebAssembly objects that
 * V8 could not end is refused today; a long call of native code cannot be ended either.
 *
 * A worker that finds the file `misbehave-…` in the state folder takes it away and does what it says.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'

const { stores } = workerData as { stores: { default: { file: string } } }
const folder = dirname(stores.default.file)

const ROWS = 'WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'

setInterval(() => {
  const name = readdirSync(folder).find((name) => name.startsWith('misbehave-'))
  if (name === undefined) return
  let what: string
  try {
    what = readFileSync(join(folder, name), 'utf8')
    rmSync(join(folder, name))
  } catch {
    return
  }
  if (what === 'fill the heap') return fillHeap()
  // It ends some time, so that a failed test leaves no process behind for long.
  new DatabaseSync(':memory:').prepare(`${ROWS} LIMIT 1 OFFSET ${Number(what)}`).get()
}, 20).unref()

// A little each turn: the thread shows signs of life all the time.
function fillHeap(): void {
  const kept: number[][] = []
  setInterval(
    () => kept.push(...Array.from({ length: 16 }, () => new Array<number>(65_536).fill(0.5))),
    5,
  )
}
