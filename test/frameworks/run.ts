// Loads and calls the gateway's tools with real agent frameworks, and prints the table of docs/clients.md. Run: npm run clients.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { REPOSITORY } from '../support/command.ts'
import { startApplication } from './application.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { install } from './install.ts'
import { CALLS, JOB_TOOL } from './tools.ts'

const HELP = `npm run clients [-- options]

Installs agent frameworks in folders of their own, loads all tools of an application with one feature each, calls them, and
prints what a model would get. Ends with 1 if a framework with its name in the address loses a tool or a result. Needs Python
3.12 and npm.

  --only NAMES      of ${Object.keys(FRAMEWORKS).join(', ')}; separated by commas
  --newest          the newest versions instead of the pinned ones
  --without-jobs    leaves out the tool that works for long
  --folder FOLDER   where they are installed (default: .ftl/frameworks)
  --python FILE     (default: python3.12, or FTL_PYTHON)
  --url ORIGIN      another application: its tools are loaded, and echo is called
  --verbose         prints each result`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    newest: { type: 'boolean', default: false },
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

interface Seen {
  loaded: string[]
  failed?: string
  results: Record<string, { text?: string; error?: string }>
}

const ECHO = [{ name: 'echo', args: { message: 'hello' }, says: /hello/ }]
const calls =
  values.url === undefined
    ? CALLS.filter(({ name }) => !values['without-jobs'] || name !== JOB_TOOL)
    : ECHO

/** Longer than the longest time that a framework here waits for an answer. */
const LIMIT_MS = 300_000

function ask([program, ...first]: [string, ...string[]], name: string, url: string): Promise<Seen> {
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

/** What is missing, a line each. */
function lost({ loaded, failed, results }: Seen, loses: readonly string[] = []): string[] {
  if (loaded.length === 0) return calls.map(({ name }) => `${name}: loads nothing: ${failed}`)
  return calls.flatMap(({ name, says }) => {
    const { text, error } = results[name] ?? { error: 'was not called' }
    const got = text ?? error ?? ''
    if (values.verbose) console.log(`    ${name}: ${got.slice(0, 300)}`)
    if (loses.includes(name) && text !== undefined) return []
    // An error that the model reads is what a tool gives that fails.
    if (name === 'gives_error' ? says.test(got) : text !== undefined && says.test(text)) return []
    return [`${name}: ${got.slice(0, 160)}`]
  })
}

const names = values.only?.split(',') ?? Object.keys(FRAMEWORKS)
const rows: string[] = []
await mkdir(values.folder, { recursive: true })
for (const name of names) {
  const framework = FRAMEWORKS[name]
  if (!framework) throw new Error(`--only: there is no ${name}; see --help`)
  const packages = values.newest
    ? framework.packages.map((each) => each.replace(/(?<=.)(==|@)[\d.]+$/, ''))
    : framework.packages
  const cells: string[] = []
  try {
    const command = await install(values.folder, name, { ...framework, packages }, values.python)
    const { client } = framework
    for (const query of ['', ...(client === undefined ? [] : [`?client=${client}`])]) {
      const application = values.url === undefined ? await startApplication() : undefined
      const url = `${values.url ?? application?.url}/mcp${query}`
      const seen = await ask(command, name, url)
      const missing = lost(seen, framework.loses)
      const jobs = application?.jobs() ?? 0
      await application?.close()
      if (jobs > 1) missing.push(`${jobs} jobs were started by one call`)
      console.log(
        `${name}${query}: ${seen.loaded.length} tools, ${calls.length - missing.length} of ${calls.length} calls`,
      )
      const isEmpty = seen.loaded.length === 0
      for (const line of isEmpty ? missing.slice(0, 1) : missing) console.log(`  ${line}`)
      cells.push(`${seen.loaded.length} tools, ${calls.length - missing.length} of ${calls.length}`)
      if (missing.length > 0 && (query !== '' || client === undefined)) process.exitCode = 1
    }
  } catch (error) {
    const message =
      error instanceof Error ? (error.message.split('\n').at(-2) ?? error.message) : ''
    console.log(`${name}: cannot be installed: ${message}`)
    cells.push('cannot be installed')
    process.exitCode = 1
  }
  rows.push(`| ${packages[0]} | ${cells[0]} | ${cells[1] ?? ''} |`)
}
console.log(
  `\n| framework | without a name | with its name |\n| --- | --- | --- |\n${rows.join('\n')}`,
)
