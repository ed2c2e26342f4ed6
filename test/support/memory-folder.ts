/**
 * The temporary files of a test run, in memory. Stores and bridges write each change through to the disk, and on a busy disk
 * the streams of one test wait seconds for it. A host that is killed loses nothing here either: only a machine would.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Bytes. A container has 64 MB there by default. */
const LEAST = 4 * 1024 ** 3
const NAME = /^ftl-test-run-(\d+)$/

/**
 * Sets `TMPDIR` for this process and its children, unless it is set or the system has no such folder. The first project of
 * the test runner does this for all.
 */
export default function useMemoryFolder(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !isRoomy()) return undefined
  removeLeft()
  const folder = join(MEMORY, `ftl-test-run-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  process.env['TMPDIR'] = folder
  return () => {
    delete process.env['TMPDIR']
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether it has room, and programs may run there. */
function isRoomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, folder]) => folder === MEMORY)
    return bavail * bsize >= LEAST && mount?.[3]?.split(',').includes('noexec') === false
  } catch {
    return false
  }
}

/** Folders of runs that were killed. */
function removeLeft(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(NAME.exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only checks.
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
