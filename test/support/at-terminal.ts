/** The ftl command at a pseudo terminal, as a person uses it. */
import { spawn, spawnSync } from 'node:child_process'
import { FTL } from './command.ts'

/** Whether this machine has the program that opens a pseudo terminal. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0

export interface TerminalOptions {
  cwd: string
  env?: Readonly<Record<string, string>>
}

/** Runs the command, and types when the screen shows what is waited for. @returns all that the screen showed */
export async function atTerminal(
  args: string[],
  typing: [shown: RegExp, typed: string][],
  { cwd, env = {} }: TerminalOptions,
): Promise<{ screen: string; code: number | null }> {
  const line = [process.execPath, FTL, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', TERM: 'dumb', ...env },
  })
  let screen = ''
  const waiting = [...typing]
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
    if (waiting[0]?.[0].test(screen)) child.stdin.write(waiting.shift()?.[1] ?? '')
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { screen, code }
}
