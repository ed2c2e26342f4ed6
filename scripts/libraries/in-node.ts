import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Outcome } from './judge.ts'

const run = promisify(execFile)
const SCRIPT = join(import.meta.dirname, 'in-node.mjs')

/**
 * @param folder where the uses and the libraries are.
 * @param files names of uses.
 */
export async function runInNode(
  folder: string,
  files: readonly string[],
  server: string,
): Promise<Map<string, Outcome>> {
  const paths = files.map((file) => join(folder, 'uses', file))
  const options = { cwd: folder, maxBuffer: 1 << 26 }
  const { stdout } = await run(process.execPath, [SCRIPT, server, ...paths], options)
  const outcomes = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as Record<
    string,
    Outcome
  >
  return new Map(
    files.map((file, at) => [file, outcomes[paths[at] ?? ''] ?? { error: 'no answer' }]),
  )
}
