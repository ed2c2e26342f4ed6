// The command blocks of the README and of the pages that a reader follows first, typed as they are printed, where a reader types
// them: printed/visits.ts says where, printed/not-typed.ts what is left out. The log of a run is in dist/printed-commands.log.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Guide, type GuideOptions } from '../day/guide.ts'
import { playQuickStart, playTutorial } from '../day/guides.ts'
import { type Machine, machineWith } from '../day/machine.ts'
import { Terminal } from '../day/terminal.ts'
import { Transcript } from '../day/transcript.ts'
import { freePort, REPOSITORY } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { reasonFor } from './printed/not-typed.ts'
import { servedFolders } from './printed/other-applications.ts'
import { Places, requireVariable } from './printed/places.ts'
import { checkServed } from './printed/served.ts'
import { type StandIns, startStandIns } from './printed/stand-ins.ts'
import { VISITS } from './printed/visits.ts'

/** A shared machine can take ten times as long as a quiet one. */
const MINUTES = 40 * 60_000
const LOG = join(REPOSITORY, 'dist/printed-commands.log')

/** The ports that the pages use. */
const PORTS = [3000, 4000, 4001, 4002, 4010, 8001, 8080, 8188, 8765]

/** "In an application that you created, … leave out `tool_components`", "name one of its own", which has another file. */
const APPLICATION = [
  ['--variable tool_components=echo,remote ', ''],
  ['path=remote.md', 'path=greet/src/main.ts'],
] as const

let folder: string
let packages: string
let machine: Machine
let places: Places
let standIns: StandIns
let terminal: Terminal
let transcript: Transcript
let ports: Map<number, number>

beforeAll(async () => {
  mkdirSync(dirname(LOG), { recursive: true })
  writeFileSync(LOG, '')
  // On a disk, where the clone can have links to the installed packages of this repository.
  folder = await mkdtemp(join(process.platform === 'linux' ? '/var/tmp' : tmpdir(), 'ftl-printed-'))
  packages = (await packedPackages()).folder
  machine = await machineWith(process.execPath, join(folder, 'machine'))
  places = new Places(folder, packages)
  standIns = await startStandIns(folder)
}, MINUTES)
afterAll(async () => {
  await standIns.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  const began = Date.now()
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(0)} s`
  transcript = new Transcript(
    (text) => appendFileSync(LOG, `${text}\n`),
    (command) => console.log(`${seconds()} $ ${command}`),
  )
  terminal = new Terminal(machine, transcript)
  ports = new Map()
  for (const port of PORTS) ports.set(port, await freePort())
})
afterEach(() => terminal.close())

const options = (page: string, place: 'clone' | 'application'): Omit<GuideOptions, 'deeds'> => ({
  terminal,
  transcript,
  packages,
  ports,
  notTyped: (line) => reasonFor({ page, in: place }, line),
})

// A second try would take as long, and what a reader types has to work at once.
describe('a reader who types what is printed', { timeout: MINUTES, retry: 0 }, () => {
  it('docs/quick-start.md, from the clone to an application', async () => {
    terminal.folder = places.emptyFolder()
    await playQuickStart(options('docs/quick-start.md', 'application'))
    expect(transcript.failures).toEqual([])
  })

  it('docs/tutorial.md, from the clone to an application', async () => {
    terminal.folder = places.emptyFolder()
    await playTutorial(options('docs/tutorial.md', 'application'))
    expect(transcript.failures).toEqual([])
  })

  it('CONTRIBUTING.md and others: the applications of tests, which are built first', async () => {
    terminal.folder = places.clone()
    for (const { folder, build = '' } of servedFolders()) {
      await rm(join(terminal.folder, 'dist'), { recursive: true, force: true })
      const { code, output } = await terminal.type(build)
      expect(code, output).toBe(0)
      const serve = `npx ftl up --from ${folder} --listen 127.0.0.1:${await freePort()}`
      const served = terminal.start(`SPIN_VARIABLE_REQUIRED=given ${serve}`)
      await served.says(/Available Routes/)
      await served.stop()
    }
    expect(transcript.failures).toEqual([])
  })

  it.each(VISITS)('$page, in the $in', async (visit) => {
    const { page, first, deeds = [], elsewhere } = visit
    const here = visit.in === 'clone' ? places.clone() : await places.application(terminal)
    if (visit.needsVariable === true) await requireVariable(here)
    const there = elsewhere === 'empty folder' ? places.emptyFolder() : here
    const gateway = `http://127.0.0.1:${ports.get(8080)}`
    const guide = new Guide({
      ...options(page, visit.in),
      deeds,
      replaced: [
        ...standIns.replaced,
        ['--url https://gateway.example', `--url ${gateway}`],
        ...(visit.in === 'application' ? APPLICATION : []),
      ],
      places: { here, elsewhere: elsewhere && there },
      serves: checkServed,
    })
    transcript.heading(`${page}, in the ${visit.in}`)
    terminal.folder = here
    if (first !== undefined) await guide.type(first)
    await guide.play(page)
    await guide.stop()
    expect(transcript.failures).toEqual([])
    expect(transcript.passed).toBeGreaterThan(0)
  })
})
