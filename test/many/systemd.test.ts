// The unit of deploy/systemd, judged by systemd itself. No service manager runs here, so it is not started.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProgram } from '../../cli/src/main.ts'
import { commandProblem } from '../docs/blocks/shell.ts'
import { findProgram } from './programs.ts'

const UNIT = readFileSync(
  fileURLToPath(new URL('../../deploy/systemd/ftl.service', import.meta.url)),
  'utf8',
)

it('starts ftl with options that it has', async () => {
  const [, args = ''] = /^ExecStart=\/usr\/bin\/node \S+\/ftl\.mjs (.+)$/m.exec(UNIT) ?? []
  const words = ['ftl', ...args.split(' ')]
  expect(words).toContain('--state-dir')
  expect(commandProblem(words, await createProgram())).toBeUndefined()
  expect(commandProblem([...words, '--no-such-option'], await createProgram())).toBeDefined()
})

it('waits longer than the host drains its requests', () => {
  const drainMs = Number(/--drain-ms (\d+)/.exec(UNIT)?.[1])
  const stopSeconds = Number(/^TimeoutStopSec=(\d+)s$/m.exec(UNIT)?.[1])
  expect(stopSeconds * 1000).toBeGreaterThan(drainMs + 5000)
})

const analyze = findProgram(['systemd-analyze'], ['systemd'])
describe.skipIf(analyze === undefined)(
  'systemd-analyze, which is not installed everywhere,',
  () => {
    let folder: string
    beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'ftl-unit-'))))
    afterAll(() => rm(folder, { recursive: true, force: true }))

    async function run(args: string[], text: string): Promise<string> {
      // It looks for the program, which is elsewhere on a machine without Node in /usr/bin.
      const file = join(folder, 'my-tools.service')
      await writeFile(file, text.replace('/usr/bin/node', process.execPath))
      return execFileSync(analyze ?? '', [...args, file], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    }

    it('finds no unknown setting and no wrong value', async () => {
      expect(await run(['verify', '--recursive-errors=no'], UNIT)).toBe('')
      await expect(
        run(['verify', '--recursive-errors=no'], UNIT.replace('ExecStart=', 'ExecStart=relative ')),
      ).rejects.toThrow()
    })

    it('rates what the service may do as safe', async () => {
      const args = ['security', '--offline=yes', '--no-pager']
      // In tenths: below 2.0 is what its best services reach.
      expect(await run([...args, '--threshold=20'], UNIT)).toMatch(/exposure level .* OK/)
      const open = UNIT.replace(/^(Protect|Restrict|SystemCall|Capability).*$/gm, '')
      await expect(run([...args, '--threshold=20'], open)).rejects.toThrow()
    })
  },
)
