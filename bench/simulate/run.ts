// The simulation: compared with real hosts (--check), or asked what a load needs. Run: npm run simulate -- --help.
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { build } from '../application.ts'
import { calls, type Case, type Figures, manyHosts } from './cases.ts'
import { answer, type Wanted } from './scale.ts'

const HELP = `npm run simulate -- [options]

Without --check: what a load needs, from the figures of the last --check --save.

  --calls N       calls a second (default 1000)
  --jobs N        jobs at work (default 0)
  --readers N     clients that read each job, once a second (default 1)
  --cores N       cores of a host (default 4)
  --hosts N       hosts (default: as many as use 70 % of their cores)
  --table         the table of docs/scale.md, instead of one load

  --check         measure small cases on this machine and compare (3 minutes; on a machine that does nothing else)
  --seconds N     of measurement for each load, in eight turns (default 6)
  --save          keep the figures of --check in bench/simulate/figures.json`

const FILE = new URL('figures.json', import.meta.url)
/** Milliseconds that a stored state of a job in ComfyUI is good for. */
const POLL_INTERVAL_MS = 1000
/** The error that a case may have. */
const ALLOWED = 0.2

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000' },
    jobs: { type: 'string', default: '0' },
    readers: { type: 'string', default: '1' },
    cores: { type: 'string', default: '4' },
    hosts: { type: 'string' },
    seconds: { type: 'string', default: '6' },
    table: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

function number(name: 'calls' | 'jobs' | 'readers' | 'cores' | 'hosts' | 'seconds'): number {
  const given = Number(values[name])
  const least = name === 'calls' || name === 'jobs' ? 0 : 1
  if (Number.isInteger(given) && given >= least) return given
  console.error(`--${name} must be a whole number of at least ${least}, not "${values[name]}"`)
  process.exit(1)
}

if (values.help) console.log(HELP)
else if (values.check) await check()
else await scale()

async function check(): Promise<void> {
  await build()
  const cases: Case[] = []
  console.log(' measured  predicted   error')
  const onCase = (one: Case) => {
    cases.push(one)
    const { measured, predicted, unit, name } = one
    const error = one.isCalibration ? '' : `${(100 * errorOf(one)).toFixed(0)} %`
    console.log(
      [
        ...[measured.toFixed(1).padStart(9), predicted.toFixed(1).padStart(9)],
        ...[error.padStart(6), unit.padEnd(10), name],
      ].join('  '),
    )
  }
  const onProgress = (text: string) => console.error(text)
  const options = { seconds: number('seconds'), onCase, onProgress }
  const figures: Figures = { call: await calls(options), ...(await manyHosts(options)) }
  if (figures.sharedCall === undefined)
    console.log('no Redis or Valkey: hosts that share a store were left out')
  const errors = cases.filter((one) => !one.isCalibration).map((one) => Math.abs(errorOf(one)))
  const wrong = errors.filter((error) => error > ALLOWED)
  const percent = (part: number) => `${(100 * part).toFixed(0)} %`
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
  console.log(
    `mean error ${percent(mean)}, largest ${percent(Math.max(...errors))}; ` +
      `${wrong.length} of ${errors.length} figures are off by more than ${percent(ALLOWED)}. ` +
      'Loads without an error are those that the input was taken from.',
  )
  if (values.save) await writeFile(FILE, `${JSON.stringify(figures, undefined, 2)}\n`)
  if (wrong.length > 0) process.exitCode = 1
}

function errorOf({ measured, predicted }: Case): number {
  return predicted / measured - 1
}

async function scale(): Promise<void> {
  const figures = JSON.parse(await readFile(FILE, 'utf8')) as Figures
  const [cores, readers] = [number('cores'), number('readers')]
  const one: Wanted = {
    ...{ callsPerSecond: number('calls'), jobs: number('jobs'), readers, cores },
    hosts: values.hosts === undefined ? undefined : number('hosts'),
  }
  const steps = [1000, 10_000, 100_000].map((callsPerSecond) => ({ callsPerSecond, jobs: 0 }))
  const jobs = [100, 1000, 10_000].map((count) => ({ callsPerSecond: 0, jobs: count }))
  const table: Wanted[] = [...steps, ...jobs].map((load) => ({ ...load, readers, cores }))
  console.log(
    '  calls/s    jobs  hosts  answers/s  p50 ms   p99 ms  host cores  commands/s  store core  limit',
  )
  for (const wanted of values.table ? table : [one]) {
    const found = answer(figures, wanted, POLL_INTERVAL_MS)
    console.log(
      [
        ...[String(wanted.callsPerSecond).padStart(9), String(wanted.jobs).padStart(6)],
        ...[String(found.hosts).padStart(5), found.perSecond.toFixed(0).padStart(9)],
        ...[found.p50.toFixed(1).padStart(6), found.p99.toFixed(1).padStart(7)],
        ...[
          found.hostCores.toFixed(1).padStart(10),
          found.commandsPerSecond.toFixed(0).padStart(10),
        ],
        ...[`${(100 * found.storeCores).toFixed(0)} %`.padStart(10), found.limit],
      ].join('  '),
    )
  }
}
