/**
 * A process and everything it started.
 *
 * Servers are mostly started by something else (`npx`, a shell, `uv`), and ending only that leaves the server itself. So
 * each gets a process group of its own, which is ended as a whole. What leaves its group on purpose is not found; on
 * Windows `taskkill /T` follows the tree of parents instead.
 *
 * @module
 */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { ProcessConfig } from '../config/server-config.ts'
import { pause, settlesWithin } from '../wait.ts'

export type Child = ChildProcessByStdio<Writable, Readable, Readable>

const WINDOWS = process.platform === 'win32'
/** How often a group is asked whether anybody is left: nobody tells about processes that are not our children. */
const LOOK_MS = 20
const COLLECTED_MS = 1000

export interface Patience {
  /** Milliseconds it has to end by itself once its input is closed. @default 1000 */
  politeMs?: number
  /** Milliseconds it has after SIGTERM, until SIGKILL. @default 2000 */
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

/** Ends it politely, then firmly; settles when nothing of the tree is left. */
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

/** Ends what a process that has ended left behind. */
async function endRest(child: Child, firmMs: number): Promise<void> {
  if (!signalTree(child, 'SIGTERM') || (await isGone(child, firmMs))) return
  signalTree(child, 'SIGKILL')
  // What is killed and not yet collected by its new parent still counts as there, in some containers for ever.
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

/** Whether there was anybody to signal. */
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
