/** A zip of a Maven repository, unpacked once. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE } from './cache.ts'
import type { Found } from './provider.ts'

const run = promisify(execFile)
const LIMIT_MS = 10 * 60_000

interface Coordinates {
  group: string
  artifact: string
  version: string
}

/**
 * Gets it from the repository whose address `FTL_TEST_MAVEN` is, otherwise with the program `mvn` from those that it is set
 * up for.
 *
 * @returns the folder with what was in the zip.
 */
export async function mavenZip(coordinates: Coordinates): Promise<Found> {
  const { artifact, version } = coordinates
  const folder = join(CACHE, `${artifact}-${version}`)
  if (existsSync(folder)) return { path: folder }
  const work = `${folder}.${process.pid}`
  try {
    // Without it there is no use for what follows.
    await run('java', ['-version'])
    await mkdir(work, { recursive: true })
    const zip = join(work, `${artifact}-${version}.zip`)
    const base = process.env['FTL_TEST_MAVEN']
    await (base === undefined ? copy(coordinates, work) : download(base, coordinates, zip))
    await run('unzip', ['-q', zip, '-d', work], { timeout: LIMIT_MS })
    await rm(zip)
    await rename(work, folder)
    return { path: folder }
  } catch (error) {
    await rm(work, { recursive: true, force: true })
    const { message } = error as Error
    return {
      missing: `${artifact} ${version} needs java, unzip, and mvn or FTL_TEST_MAVEN: ${message.slice(0, 300)}`,
    }
  }
}

async function copy({ group, artifact, version }: Coordinates, folder: string): Promise<void> {
  const options = [`-Dartifact=${group}:${artifact}:${version}:zip`, `-DoutputDirectory=${folder}`]
  await run('mvn', ['-q', '-B', 'dependency:copy', ...options], {
    cwd: folder,
    timeout: LIMIT_MS,
  })
}

async function download(
  base: string,
  { group, artifact, version }: Coordinates,
  file: string,
): Promise<void> {
  const path = [...group.split('.'), artifact, version, `${artifact}-${version}.zip`].join('/')
  const response = await fetch(`${base.replace(/\/$/, '')}/${path}`, {
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  if (!response.ok) throw new Error(`${response.status} for ${path}`)
  await writeFile(file, Buffer.from(await response.arrayBuffer()))
}
