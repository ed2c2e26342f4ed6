// State and logs hold what callers sent: no other user of the machine reads them.
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { componentOutput } from '../../cli/src/output/component-output.ts'
import { startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { guestThat } from './support/wat.ts'

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

async function expectPrivate(folder: string): Promise<void> {
  expect(await modeOf(folder)).toBe('700')
  const names = await readdir(folder)
  expect(names).not.toEqual([])
  for (const name of names) expect([name, await modeOf(join(folder, name))]).toEqual([name, '600'])
}

attack('read state and logs as another user of the machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-private-'))
  const stateDir = join(folder, 'state')
  const logDir = join(folder, 'logs')
  for (const path of [stateDir, logDir]) {
    await mkdir(path)
    await chmod(path, 0o777)
  }
  const host = await startHostile({ good: { wasm: await guestThat('') } }, { stateDir })
  try {
    await expectPrivate(stateDir)
    const log = componentOutput({ components: ['good'], quiet: true, logDir, print: () => {} })
    log({ component: 'good', stream: 'stdout', line: 'of a caller' })
    await expectPrivate(logDir)
  } finally {
    await host.close()
    await rm(folder, { recursive: true })
  }
  return 'folders 0700, files 0600, also where the folder was open to all'
})
