import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPythonPackage } from '../../../test/support/python-package.ts'
import { versionIn } from '../parse.ts'
import { Skipped } from '../peer.ts'

/** ContextForge has more than a hundred dependencies. */
const INSTALL_LIMIT_MS = 15 * 60_000

/** @throws {Skipped} when it cannot be installed. */
export async function installPython(
  name: string,
  wanted: string,
): Promise<{ bin: string; version: string }> {
  const installed = await installPythonPackage(name, wanted, { limitMs: INSTALL_LIMIT_MS })
  if ('missing' in installed) throw new Skipped(installed.missing)
  const { bin } = installed
  const code = `import importlib.metadata as m; print(m.version(${JSON.stringify(name)}))`
  const { stdout } = await promisify(execFile)(join(bin, 'python'), ['-c', code])
  return { bin, version: versionIn(stdout) ?? wanted }
}
