/** Runs the build commands of components in other languages, as `spin build` does. */
import { spawn } from 'node:child_process'
import { BuildError } from '../build/index.ts'
import type { ForeignComponent } from './concern.ts'

/**
 * One command after the other, with what they print shown.
 *
 * @throws {BuildError} naming the command that failed.
 */
export async function runBuildCommands(
  { id, command, folder }: ForeignComponent,
  signal: AbortSignal,
): Promise<void> {
  for (const each of command) {
    if (signal.aborted) return
    // `signal` would end the shell only: the compiler it runs would go on.
    const child = spawn(each, {
      cwd: folder,
      shell: true,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
    })
    const end = () => {
      if (child.pid === undefined) return
      if (process.platform === 'win32') child.kill()
      else process.kill(-child.pid, 'SIGTERM')
    }
    signal.addEventListener('abort', end, { once: true })
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(127))
      child.on('exit', resolve)
    })
    signal.removeEventListener('abort', end)
    if (code !== 0 && !signal.aborted) {
      throw new BuildError(id, [`"${each}" in ${folder} ended with code ${code}`])
    }
  }
}
