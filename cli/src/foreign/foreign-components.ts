/** Components in other languages, which their own build commands build, as with `spin build`. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { BuildError } from '../build/build-error.ts'
import type { Application } from '../application/load-application.ts'

/** A component that another program builds. */
export interface ForeignComponent {
  id: string
  command: readonly string[]
  /** Absolute path the command runs in. */
  folder: string
  /** Relative to the folder. */
  watch: readonly string[]
  /** Absolute path of the `.wasm` that the command writes; `undefined` if it is not a file of this machine. */
  output: string | undefined
}

/**
 * Set for build commands. An `ftl build` that a build command runs builds only what `ftl` itself builds; otherwise it
 * would run the same command again, without end.
 */
const INSIDE = 'FTL_INSIDE_BUILD'

/** Components with a build command, and without an entry that `ftl` builds. */
export function foreignComponents({ manifest }: Application): ForeignComponent[] {
  if (process.env[INSIDE]) return []
  return [...manifest.components.values()].flatMap(({ id, build, tool, source }) => {
    const { entry, members } = tool['ftl'] ?? {}
    if (!build || build.command.length === 0 || entry !== undefined || members !== undefined)
      return []
    const folder = resolve(manifest.folder, build.workdir ?? '.')
    const output = typeof source === 'string' ? resolve(manifest.folder, source) : undefined
    return [{ id, command: build.command, folder, watch: build.watch, output }]
  })
}

/**
 * One command after the other, with what they print shown.
 *
 * @param stdout where the standard output of the commands goes.
 * @throws {BuildError} naming the command that failed.
 */
export async function runBuildCommands(
  { id, command, folder, output }: ForeignComponent,
  signal: AbortSignal,
  stdout: 1 | 2 = 1,
): Promise<void> {
  for (const each of command) {
    if (signal.aborted) return
    // `signal` would end the shell only: the compiler it runs would go on.
    const child = spawn(each, {
      cwd: folder,
      shell: true,
      stdio: ['ignore', stdout, 2],
      detached: process.platform !== 'win32',
      env: { ...process.env, [INSIDE]: '1' },
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
    if (code !== 0 && !signal.aborted) throw new BuildError(id, [failure(each, folder, code)])
  }
  if (output !== undefined && !existsSync(output) && !signal.aborted) {
    const commands = command.map((each) => `"${each}"`).join(' and ')
    throw new BuildError(id, [
      `${commands} wrote no ${output}: correct source of [component.${id}] in spin.toml`,
    ])
  }
}

/** What a shell returns when there is no such program. */
const NO_PROGRAM = 127

function failure(command: string, folder: string, code: number | null): string {
  if (!existsSync(folder)) return `"${command}" cannot run: there is no folder ${folder}`
  const text = `"${command}" in ${folder} ended with code ${code}`
  if (code !== NO_PROGRAM) return text
  const remedy = /^cargo\b/.test(command)
    ? 'install Rust (https://rustup.rs), then run "rustup target add wasm32-wasip2"'
    : 'install the program that it starts'
  return `${text}: ${remedy}`
}
