import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Packed } from '../../scripts/packages/pack-all.ts'

const run = promisify(execFile)

export interface Unpacked extends Packed {
  /** Absolute path of the folder that npm would put into `node_modules`. */
  folder: string
}

export async function unpack(packed: Packed, out: string): Promise<Unpacked> {
  const folder = join(out, packed.name)
  await mkdir(folder, { recursive: true })
  await run('tar', ['-xzf', packed.tarball, '--strip-components=1', '-C', folder])
  return { ...packed, folder }
}
