// The way of an operator from one machine to the next: a backup of a served application, restored elsewhere.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ftl, type RunningCommand } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'

let folder: string
const running: RunningCommand[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-backup-'))
})
afterEach(async () => {
  for (const command of running.splice(0)) {
    command.signal('SIGTERM')
    await command.exited
  }
  await rm(folder, { recursive: true, force: true })
})

const PLACE = ['--from', MANIFESTS.host, '--variable', 'token=secret']

async function up(stateDir: string) {
  const place = ['--listen', '127.0.0.1:0', '--state-dir', stateDir, '--workers', '1']
  const command = ftl(['up', ...PLACE, ...place], { cwd: folder })
  running.push(command)
  const serving = /Serving (http:\/\/127\.0\.0\.1:\d+)/
  await command.printed(serving)
  const [, url = ''] = serving.exec(command.output()) ?? []
  const kv = async (query: string) => {
    const response = await fetch(`${url}/kv?${query}`)
    return (await response.json()) as { keys: string[] }
  }
  return {
    command,
    store: (key: string) => kv(`key=${key}&set=x`),
    keys: async () => (await kv('key=none')).keys.sort(),
  }
}

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = ftl(args, { cwd: folder })
  return { code: await command.exited, output: command.output() }
}

test('what callers stored is backed up while it is served, and restored after a crash', async () => {
  const first = await up('old')
  for (const key of ['a', 'b', 'c']) await first.store(key)
  const at = ['--from', MANIFESTS.host, '--state-dir']
  const backup = await run('backup', 'b.db', ...at, 'old')
  expect(backup.output).toMatch(/^Wrote b\.db: 3 entries\./)
  expect(backup.code).toBe(0)
  expect((await stat(join(folder, 'b.db'))).mode & 0o077).toBe(0)
  await first.store('written-after-the-backup')

  const refused = await run('restore', 'b.db', ...at, 'old', '--replace')
  expect(refused.output).toContain('stop the application')
  expect(refused.code).toBe(1)

  first.command.signal('SIGKILL')
  await first.command.exited
  const restored = await run('restore', 'b.db', ...at, 'new')
  expect(restored.output).toBe('Restored b.db: 3 entries\n')
  expect(restored.code).toBe(0)
  expect(await (await up('new')).keys()).toEqual(['a', 'b', 'c'])

  // What was served longest stays where it is asked for.
  const again = await run('restore', 'b.db', ...at, 'old')
  expect(again.output).toMatch(/has entries already \(4\)/)
  expect(again.code).toBe(1)
})
