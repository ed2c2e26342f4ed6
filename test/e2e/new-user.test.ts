// The first minutes of a user who has Node and npm and nothing of ours: the quick start as it is printed, with the packages
// as they are published. `npm run day` plays the rest of the day.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nextLines } from '../../scripts/packages/next-lines.ts'
import { playQuickStart } from '../day/guides.ts'
import { type Machine, machineWith } from '../day/machine.ts'
import { installSize } from '../day/size.ts'
import { Terminal } from '../day/terminal.ts'
import { Transcript } from '../day/transcript.ts'
import { freePort, REPOSITORY } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'

const run = promisify(execFile)
const MINUTES = 5 * 60_000
/** Seconds of commands, without what a person thinks and types in between. */
const LIMIT = 180
const CLONE = '/path/to/clone/dist/packages'

let folder: string
let packages: string
let machine: Machine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-new-user-'))
  packages = (await packedPackages()).folder
  machine = await machineWith(process.execPath, join(folder, 'machine'))
}, MINUTES)

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a new user', { timeout: MINUTES }, () => {
  it('gets from npm run pack the lines that the guides print', async () => {
    const [create = '', ...next] = nextLines(`${CLONE}/create-ftl-tool-0.1.0.tgz`, CLONE)
    const guide = await readFile(join(REPOSITORY, 'docs/quick-start.md'), 'utf8')
    expect(guide).toContain([create, ...next].map((line) => line.trim()).join('\n'))
    const [before = '', after = ''] = create.trim().split(' greet ')
    for (const page of ['docs/tutorial.md', 'README.md', 'create-ftl-tool/README.md']) {
      const text = await readFile(join(REPOSITORY, page), 'utf8')
      expect(text, page).toContain(before)
      expect(text, page).toContain(after)
    }
  })

  it('comes through the quick start with the lines as they are printed', async () => {
    const lines: string[] = []
    const transcript = new Transcript((line) => void lines.push(line))
    const terminal = new Terminal(machine, transcript)
    const ports = new Map([[3000, await freePort()]])
    const began = performance.now()
    try {
      const application = await playQuickStart({ terminal, transcript, packages, ports })
      const seconds = (performance.now() - began) / 1000
      expect(transcript.failures, lines.join('\n')).toEqual([])
      console.log(`${seconds.toFixed(1)} s in all, ${await installSize(application)} installed`)
      expect(seconds).toBeLessThan(LIMIT)
    } finally {
      await terminal.close()
    }
  })

  it('can run a tarball by its path', async () => {
    const args = ['--yes', './create-ftl-tool-0.1.0.tgz', 'other', '--yes', '--dry-run']
    const { stdout } = await run('npx', [...args, '--in', machine.folder, '--application'], {
      cwd: packages,
      env: machine.env,
    })
    expect(stdout).toContain('tools/other/src/main.ts')
  })
})
