// Loads and calls the gateway's tools with real agent frameworks, and prints the table of docs/clients.md. Run: npm run clients.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { REPOSITORY } from '../support/command.ts'
import { type Application, startApplication } from './application.ts'
import { ask, lostIn } from './ask.ts'
import { startDefaultApplication } from './default-application.ts'
import { FRAMEWORKS, newest } from './frameworks.ts'
import { install } from './install.ts'
import { type Call, JOB_TOOL } from './tools.ts'

const APPLICATIONS: Readonly<Record<string, (url?: string) => Promise<Application>>> = {
  features: startApplication,
  default: () => startDefaultApplication(false),
  slow: () => startDefaultApplication(true),
  url: (url = '') =>
    Promise.resolve({
      url,
      calls: () => [{ name: 'echo', args: { message: 'hello' }, says: /hello/ }],
      jobs: () => Promise.resolve(0),
      close: () => Promise.resolve(),
    }),
}
const OWN = ['features', 'default', 'slow']

const HELP = `npm run clients [-- options]

Installs agent frameworks in folders of their own. Each loads all tools of two applications and calls them, and what a model
would get is compared with what it must get. Ends with 1 if a framework with its name in the address loses a tool or a result,
or if a call starts two jobs. Needs Python 3.12, npm, Maven and Java 17, and what \`ftl build\` has built.

  --only NAMES      of ${Object.keys(FRAMEWORKS).join(', ')}; separated by commas
  --applications NAMES  of features (one feature of schemas or results in each tool), default (spin.toml), slow (a job of
                    the default application that takes longer than most frameworks wait); separated by commas
  --newest          the newest versions instead of the pinned ones
  --named           only with the name of the framework in the address, where it has one
  --without-jobs    leaves out the tool that works for long
  --folder FOLDER   where they are installed (default: .ftl/frameworks)
  --python FILE     (default: python3.12, or FTL_PYTHON)
  --url ORIGIN      another application: its tools are loaded, and echo is called
  --verbose         prints each result`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    applications: { type: 'string' },
    newest: { type: 'boolean', default: false },
    named: { type: 'boolean', default: false },
    'without-jobs': { type: 'boolean', default: false },
    folder: { type: 'string', default: join(REPOSITORY, '.ftl', 'frameworks') },
    python: { type: 'string', default: process.env['FTL_PYTHON'] ?? 'python3.12' },
    url: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}

const names = values.only?.split(',') ?? Object.keys(FRAMEWORKS)
const applications = values.applications?.split(',') ?? (values.url === undefined ? OWN : ['url'])
for (const [option, given, known] of [
  ['--only', names, FRAMEWORKS],
  ['--applications', applications, APPLICATIONS],
] as const) {
  const unknown = given.find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) continue
  console.error(`${option}: there is no ${unknown}, only ${Object.keys(known).join(', ')}`)
  process.exit(2)
}

const started = new Map<string, Promise<Application>>()

/** Those with components are started once, which takes longer than most calls; the other remembers its jobs. */
function applicationOf(which: string): Promise<Application> {
  const start = APPLICATIONS[which]
  if (!start) throw new Error(`--applications: there is no ${which}; see --help`)
  const application = (which !== 'features' && started.get(which)) || start(values.url)
  if (which !== 'features') started.set(which, application)
  return application
}

/** @returns what the table says of it. */
async function measure(
  command: [string, ...string[]],
  name: string,
  which: string,
  query: string,
): Promise<{ cell: string; isComplete: boolean }> {
  const application = await applicationOf(which)
  const calls = application
    .calls()
    .filter((each) => !values['without-jobs'] || each.name !== JOB_TOOL)
  const url = `${application.url}/mcp${query}`
  const seen = await ask(command, name, url, calls)
  const lost = lostIn(seen, calls, FRAMEWORKS[name]?.loses)
  if (values.verbose) {
    for (const [tool, result] of Object.entries(seen.results)) {
      console.log(`    ${tool}: ${JSON.stringify(result).slice(0, 400)}`)
    }
  }
  // A model calls again what its client has given up.
  const given = calls.filter(
    (call) => call.startsJob && seen.results[call.name]?.text === undefined,
  )
  if (which === 'slow' && given.length > 0) await ask(command, name, url, given)
  const jobs = await application.jobs()
  if (which === 'features') await application.close()
  const more =
    jobs > expected(calls) ? [`${jobs} jobs were started by ${expected(calls)} calls`] : []
  const missing = [...lost, ...more]
  const cell = `${seen.loaded.length} tools, ${calls.length - lost.length} of ${calls.length} calls`
  console.log(`${name}${query}, ${which}: ${cell}`)
  for (const line of seen.loaded.length === 0 ? missing.slice(0, 1) : missing) {
    console.log(`  ${line}`)
  }
  return { cell, isComplete: missing.length === 0 }
}

const expected = (calls: readonly Call[]) => calls.filter(({ startsJob }) => startsJob).length

const rows: string[] = []
const heads: string[] = applications.flatMap((which) =>
  which === 'slow' || values.named
    ? [which]
    : [`${which}, without a name`, `${which}, with its name`],
)
await mkdir(values.folder, { recursive: true })
for (const name of names) {
  const framework = FRAMEWORKS[name]
  if (!framework) throw new Error(`--only: there is no ${name}; see --help`)
  const packages = values.newest ? framework.packages.map(newest) : framework.packages
  const cells: string[] = []
  try {
    const command = await install(values.folder, name, { ...framework, packages }, values.python)
    const named = framework.client === undefined ? undefined : `?client=${framework.client}`
    for (const which of applications) {
      // One call that takes long is not made twice.
      const isOnce = which === 'slow' || values.named
      for (const query of isOnce ? [named ?? ''] : ['', named]) {
        const { cell, isComplete } =
          query === undefined
            ? { cell: '', isComplete: true }
            : await measure(command, name, which, query)
        cells.push(cell)
        if (!isComplete && (query !== '' || named === undefined)) process.exitCode = 1
      }
    }
  } catch (error) {
    const message =
      error instanceof Error ? (error.message.split('\n').at(-2) ?? error.message) : ''
    console.log(`${name}: cannot be installed or asked: ${message}`)
    cells.push('cannot be installed')
    process.exitCode = 1
  }
  rows.push(`| ${[packages[0], ...cells].join(' | ')} |`)
}
console.log(
  `\n| framework | ${heads.join(' | ')} |\n| --- |${' --- |'.repeat(heads.length)}\n${rows.join('\n')}`,
)
for (const application of started.values()) await (await application).close()
