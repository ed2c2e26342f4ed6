// Every black-box suite and the measurements against a real Spin. Run: npm run on-spin. See --help.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildEverything } from '../support/build.ts'
import { freePort, REPOSITORY } from '../support/command.ts'
import { countOf, type Outcome, outcomeTable } from './outcome.ts'
import { OUTCOME_FILE } from './outcome-reporter.ts'
import { spinVersion, startSpin, warmUp } from './spin.ts'
import { BENCH_MANIFEST, type BlackBoxSuite, PROJECTS, SUITES } from './suites.ts'

const REPORTER = fileURLToPath(new URL('./outcome-reporter.ts', import.meta.url))

const NAMES = SUITES.map(({ name }) => name)

const HELP = `npm run on-spin -- [options]

Builds each test application, starts it on Spin, and runs the tests that need no access to the host. Then it measures
Spin and the embedded host in turns. Ends with 1 if a test failed, and with 0 if there is no Spin.

  --spin PATH     the program (default: the spin on the path)
  --suite NAME    only this one; may be repeated: ${NAMES.join(', ')}
  --no-bench      do not measure
  --help`

process.exitCode = await main()

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: {
      spin: { type: 'string', default: 'spin' },
      suite: { type: 'string', multiple: true, default: NAMES },
      bench: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
    allowNegative: true,
  })
  const unknown = flags.suite.find((name) => !NAMES.includes(name))
  if (flags.help || unknown !== undefined) {
    print(unknown === undefined ? HELP : `there is no suite "${unknown}"\n\n${HELP}`)
    return unknown === undefined ? 0 : 1
  }
  const version = spinVersion(flags.spin)
  if (version === undefined) {
    print(
      `Skipped: "${flags.spin}" is not a program on this machine. Install Spin, or name it with --spin PATH.`,
    )
    return 0
  }
  print(
    `${version}: the first start of each application can take minutes, because Spin compiles its components.`,
  )
  await buildEverything()
  const outcomes = new Map<string, Outcome | string>()
  for (const suite of SUITES.filter(({ name }) => flags.suite.includes(name))) {
    outcomes.set(suite.name, await runSuite(flags.spin, suite).catch(messageOf))
  }
  if (flags.bench)
    await measure(flags.spin).catch((error: unknown) => outcomes.set('bench', messageOf(error)))
  print(`\n${version}\n\n${outcomeTable(outcomes)}`)
  const failed = [...outcomes.values()].some(
    (outcome) => typeof outcome === 'string' || outcome.failed.length > 0,
  )
  return failed ? 1 : 0
}

async function runSuite(spin: string, suite: BlackBoxSuite): Promise<Outcome> {
  const { name, manifest, tests, args = [], env } = suite
  if (manifest === undefined) {
    print(`\n${name}`)
    return runTests(tests, { FTL_TEST_SPIN: spin })
  }
  const port = await freePort()
  const services = suite.renders ? await startServices(port) : undefined
  try {
    const more = [...args, ...(services?.args ?? [])]
    const application = await startSpin({ spin, manifest, port, args: more, env })
    try {
      await warmUp(application.url)
      print(`\n${name}: ready after ${(application.readyMs / 1000).toFixed(1)} s`)
      return await runTests(tests, { FTL_TEST_URL: application.url, ...services?.env })
    } finally {
      await application.close()
    }
  } finally {
    await services?.close()
  }
}

async function runTests(
  tests: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-on-spin-'))
  const file = join(folder, 'outcome.json')
  try {
    await run(
      [
        ...[join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run', ...tests],
        ...PROJECTS.flatMap((project) => ['--project', project]),
        ...['--reporter', 'default', '--reporter', REPORTER, '--no-file-parallelism'],
      ],
      { [OUTCOME_FILE]: file, ...env },
    )
    const outcome = JSON.parse(await readFile(file, 'utf8')) as Outcome
    // The runner of the tests ends well without any, if none of its projects has them.
    if (countOf(outcome) === 0)
      throw new Error(`no project of vitest.config.ts has ${tests.join()}`)
    return outcome
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Services {
  args: readonly string[]
  env: Record<string, string>
  close(): Promise<void>
}

/** @param port the gateway will listen there. */
async function startServices(port: number): Promise<Services> {
  // Imported late: only one suite needs them.
  const [{ startBridge }, { startSimulator }] = await Promise.all([
    import('ftl-bridge/local'),
    import('ftl-comfyui/simulator'),
  ])
  const simulator = await startSimulator({ port: 0, renderSeconds: 1 })
  const bridge = await startBridge({ gatewayUrl: `http://127.0.0.1:${port}`, port: 0 })
  return {
    args: [
      ...['--variable', `comfyui_url=${simulator.url}`],
      ...['--variable', `bridge_url=${bridge.url}`],
    ],
    env: { FTL_TEST_BRIDGE_URL: bridge.url },
    async close() {
      await bridge.close()
      await simulator.close()
    },
  }
}

/** Both hosts in turns, so that the numbers of one run can be compared. */
async function measure(spin: string): Promise<void> {
  const application = await startSpin({ spin, manifest: BENCH_MANIFEST, port: await freePort() })
  try {
    const code = await run([
      join(REPOSITORY, 'bench/run.ts'),
      ...[
        '--quick',
        '--section',
        'ratios',
        '--section',
        'head-to-body',
        '--against',
        application.url,
      ],
    ])
    if (code !== 0) throw new Error('the measurements failed; see above')
  } finally {
    await application.close()
  }
}

async function run(args: readonly string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, args, {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
