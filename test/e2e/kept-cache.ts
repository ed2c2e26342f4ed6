/** The cache of `ftl dev`, passed from each test of a file to the next: filling it takes longer than most tests. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { REPOSITORY } from '../support/command.ts'
import { type DevApplication, devFolder } from './dev-application.ts'

export interface KeptCache {
  /** A new folder of an application, with the cache of the one before, if there was one. */
  folder(): Promise<string>
  /** Ends the application, keeps its cache and removes its folder. */
  close(dev: DevApplication): Promise<void>
}

export function useKeptCache(): KeptCache {
  let kept: string
  beforeAll(async () => {
    kept = await mkdtemp(join(REPOSITORY, 'dist', 'dev-cache-'))
  })
  afterAll(() => rm(kept, { recursive: true, force: true }))
  return {
    async folder() {
      const folder = await devFolder()
      await mkdir(join(folder, '.ftl'), { recursive: true })
      await moveIfThere(join(kept, 'cache'), join(folder, '.ftl/cache'))
      return folder
    },
    async close(dev) {
      dev.command.signal('SIGINT')
      await dev.command.exited
      await moveIfThere(join(dev.folder, '.ftl/cache'), join(kept, 'cache'))
      await dev.close()
    },
  }
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
