/**
 * A process and everything it started.
 *
 * Servers are mostly started by a launcher (`npx`, a shell, `uv`), and ending only that leaves the server running. So
 * each gets its own process group, which is ended as a whole. A process that leaves its group on purpose is not found.
 * On Windows, `taskkill /T` follows the tree of parents instead.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { ProcessConfig } from '../config/server-config.ts'
import { pause, settlesWithin } from '../wait.ts'

export type Child = ChildProcessByStdio<Writable, Readable, Readable>

const WINDOWS = process.platform === 'win32'
/** Interval of the check for processes left in a group: the system only reports the exit of our own children. */
const LOOK_MS = 20
const COLLECTED_MS = 1000

export interface Patience {
  /** Milliseconds the process has to exit after its input is closed. @default 1000 */
  politeMs?: number
  /** Milliseconds between SIGTERM and SIGKILL. @default 2000 */
  firmMs?: number
}

/** Groups to end when this process ends before it could close them. */
const running = new Set<Child>()

export function spawnTree({ command, args = [], env, cwd }: ProcessConfig): Child {
  const child = spawn(command, args, {
    env: { ...getDefaultEnvironment(), ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !WINDOWS,
    windowsHide: true,
  })
  if (running.size === 0) process.on('exit', killAll)
  running.add(child)
  return child
}

/** Closes the input, then sends SIGTERM, then SIGKILL; settles when no process of the tree is left. */
export async function endTree(
  child: Child,
  { politeMs = 1000, firmMs = 2000 }: Patience = {},
): Promise<void> {
  const exited = new Promise<void>((resolve) => {
    if (hasExited(child)) resolve()
    else child.once('exit', () => resolve())
  })
  child.stdin.end()
  if (!(await settlesWithin(exited, politeMs))) {
    signalTree(child, 'SIGTERM')
    if (!(await settlesWithin(exited, firmMs))) {
      signalTree(child, 'SIGKILL')
      await exited
    }
  }
  await endRest(child, firmMs)
  running.delete(child)
  if (running.size === 0) process.off('exit', killAll)
}

/** Ends the processes that an ended process left behind. */
async function endRest(child: Child, firmMs: number): Promise<void> {
  if (!signalTree(child, 'SIGTERM') || (await isGone(child, firmMs))) return
  signalTree(child, 'SIGKILL')
  // A killed process counts as running until its new parent collects it, which some containers never do.
  await isGone(child, COLLECTED_MS)
}

async function isGone(child: Child, withinMs: number): Promise<boolean> {
  for (
    const until = performance.now() + withinMs;
    performance.now() < until;
    await pause(LOOK_MS)
  ) {
    if (WINDOWS || !signalTree(child, 0)) return true
  }
  return false
}

function hasExited(child: Child): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

/** @returns whether there was a process to signal. */
function signalTree(child: Child, signal: NodeJS.Signals | 0): boolean {
  const { pid } = child
  if (pid === undefined) return false
  if (WINDOWS) {
    if (hasExited(child)) return false
    return (
      spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).status === 0
    )
  }
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

function killAll(): void {
  for (const child of running) signalTree(child, 'SIGKILL')
}
