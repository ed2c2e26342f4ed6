/** Components in other languages, which their own build commands build, as with `spin build`. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { BuildError } from '../build/index.ts'
import type { Application } from '../targets.ts'

/** A component that another program builds. */
export interface ForeignComponent {
  id: string
  command: readonly string[]
  /** Absolute path the command runs in. */
  folder: string
  /** Relative to the folder. */
  watch: readonly string[]
}

/** Components with a build command, and without an entry that `ftl` builds. */
export function foreignComponents({ manifest }: Application): ForeignComponent[] {
  return [...manifest.components.values()].flatMap(({ id, build, tool }) => {
    if (!build || build.command.length === 0 || tool['ftl']?.['entry'] !== undefined) return []
    const folder = resolve(manifest.folder, build.workdir ?? '.')
    return [{ id, command: build.command, folder, watch: build.watch }]
  })
}

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
