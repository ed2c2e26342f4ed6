// Plays the day of an author from nothing, and prints a transcript to read. See --help.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from '../../scripts/packages/pack-all.ts'
import { playBreakages } from './break.ts'
import { Guide } from './guide.ts'
import { playQuickStart, playTutorial } from './guides.ts'
import { machineWith, which } from './machine.ts'
import { installSize } from './size.ts'
import { Terminal } from './terminal.ts'
import { playTools } from './tools.ts'
import { Transcript } from './transcript.ts'

const HELP = `npm run day [-- options]

Plays the guides as printed, six tools with libraries, and everything that an author breaks, from packed packages on a
machine that has only Node and npm. Prints a transcript, and ends with 1 if something was not as expected.

  --node FILE        the only Node of that machine; may be repeated (default: that of the path, and that of this repository)
  --packages FOLDER  what npm run pack has made (default: packs them)
  --out FILE         writes the transcript to a file, too
  --only WORDS       of the breakages, only those with these words
  --no-tutorial      leaves the tutorial out
  --keep             keeps the folder of the applications
`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    node: { type: 'string', multiple: true },
    packages: { type: 'string' },
    out: { type: 'string' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
    'no-tutorial': { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit()
}

/** The ports that the guides use. */
const PORTS = [3000, 4010, 8080]

const transcript = new Transcript()
const folder = await mkdtemp(join(tmpdir(), 'ftl-day-'))
const packages = resolve(values.packages ?? join(folder, 'packages'))
if (values.packages === undefined) await packAll(packages)
transcript.hide(packages, '/path/to/clone/dist/packages')

// The Node that runs this script is the one of the repository; the machine's own is usually an older one.
const nodes = values.node ?? [...new Set([which('node') ?? process.execPath, process.execPath])]
try {
  for (const [index, node] of nodes.entries()) await playDay(node, join(folder, `day-${index + 1}`))
} finally {
  if (!values.keep) await rm(folder, { recursive: true, force: true })
}
const { passed, failures } = transcript
for (const failure of failures) console.log(`NOT AS EXPECTED: ${failure}`)
console.log(`${passed} passed, ${failures.length} failed`)
if (values.out !== undefined) await writeFile(values.out, transcript.text())
process.exitCode = failures.length === 0 ? 0 : 1

async function playDay(node: string, own: string): Promise<void> {
  const machine = await machineWith(node, own)
  transcript.hide(machine.folder, '~')
  transcript.hide(own, '/machine')
  transcript.heading(`A MACHINE WITH NODE ${machine.version} AND NOTHING ELSE`)
  const terminal = new Terminal(machine, transcript)
  const options = { terminal, transcript, packages, ports: await freePorts() }
  const began = performance.now()
  try {
    const application = await playQuickStart(options)
    transcript.figure('node_modules of the new application', await installSize(application))
    terminal.folder = machine.folder
    if (!values['no-tutorial']) await playTutorial(options)
    terminal.folder = application
    const guide = new Guide({ ...options, deeds: [] })
    await playTools(guide)
    await playBreakages(guide, values.only === undefined ? undefined : new RegExp(values.only))
  } catch (error) {
    transcript.check(`the day goes on to its end: ${String(error)}`, false)
  } finally {
    await terminal.close()
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  transcript.figure(`the day with Node ${machine.version}`, `${minutes} minutes`)
}

/** The port of the guide, or a free one where another program has it. */
async function freePorts(): Promise<Map<number, number>> {
  const ports = new Map<number, number>()
  for (const port of PORTS) ports.set(port, (await isFree(port)) ? port : await listening(0))
  return ports
}

async function isFree(port: number): Promise<boolean> {
  return await listening(port).then(
    () => true,
    () => false,
  )
}

function listening(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '0.0.0.0', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port))
    })
  })
}
