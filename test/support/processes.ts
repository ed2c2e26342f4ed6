import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface Process {
  pid: number
  parent: number
  name: string
}

/** Every process that runs; from /proc where there is one, because a small machine has no `ps`. */
export async function processes(): Promise<Process[]> {
  if (process.platform !== 'linux') return fromPs()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while it is looked at.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [, name = '', state, parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(stat) ?? []
      return { pid: Number(pid), parent: Number(parent), name, state }
    }),
  )
  return all.filter(({ state }) => state !== undefined && state !== 'Z')
}

/** Processes below `pid`, of any depth. */
export async function descendants(pid: number): Promise<Process[]> {
  const all = await processes()
  const found: Process[] = []
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map((child) => child.pid)
  }
  return found
}

async function fromPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,comm='])
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, name = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    name,
  }))
}
