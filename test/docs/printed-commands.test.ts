// The command blocks of README, of the quick start and of the tutorial, typed as they are printed, where a reader types them.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeClone } from '../day/clone.ts'
import { playTutorial } from '../day/guides.ts'
import { type Machine, machineWith } from '../day/machine.ts'
import { commandLines } from '../day/page.ts'
import { NOT_TYPED, playReadme } from '../day/readme.ts'
import { Terminal } from '../day/terminal.ts'
import { Transcript } from '../day/transcript.ts'
import { freePort, REPOSITORY } from '../support/command.ts'
import { packedPackages } from '../support/packed.ts'
import { parseBlocks } from './blocks/blocks.ts'

const MINUTES = 15 * 60_000

let folder: string
let packages: string
let machine: Machine
let terminal: Terminal | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-printed-'))
  packages = (await packedPackages()).folder
  machine = await machineWith(process.execPath, join(folder, 'machine'))
}, MINUTES)
afterEach(() => terminal?.close())
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a reader who types what is printed', { timeout: MINUTES }, () => {
  it('README.md, in a clone', async () => {
    const clone = join(folder, 'clone')
    makeClone(clone)
    const lines: string[] = []
    const transcript = new Transcript((line) => void lines.push(line))
    terminal = new Terminal(machine, transcript)
    await playReadme({ terminal, transcript, clone, packages, port: await freePort() })
    expect(transcript.failures, lines.join('\n')).toEqual([])
    expect(transcript.passed).toBeGreaterThan(12)
  })

  it('docs/tutorial.md, in a created application', async () => {
    const lines: string[] = []
    const transcript = new Transcript((line) => void lines.push(line))
    terminal = new Terminal(machine, transcript)
    const ports = new Map<number, number>()
    for (const port of [3000, 4010, 8080]) ports.set(port, await freePort())
    await playTutorial({ terminal, transcript, packages, ports })
    expect(transcript.failures, lines.join('\n')).toEqual([])
  })
})

it('what is not typed is printed: the list has no line that has gone', async () => {
  const text = await readFile(join(REPOSITORY, 'README.md'), 'utf8')
  const lines = parseBlocks(text, 'README.md')
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => commandLines(code))
  for (const [pattern] of NOT_TYPED) {
    expect(
      lines.some((line) => pattern.test(line)),
      String(pattern),
    ).toBe(true)
  }
})
