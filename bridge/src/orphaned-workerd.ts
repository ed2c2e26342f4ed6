/**
 * The workerd of this bridge, recorded in a file, so that the next start finds it when this process was killed.
 *
 * A killed process cannot end its children: workerd goes on and keeps the port. A process counts as left behind only
 * if it has the recorded id, name and start time, and the process that started it is gone.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { pause } from 'ftl-contract'

/** How long a process that was killed may need to end, in milliseconds. */
const END_MS = 5000
const POLL_MS = 50

interface ProcessRecord {
  pid: number
  /** Name and start time, which tell it from a later process with the same id. */
  identity: string
}

interface BridgeRecord {
  workerd: ProcessRecord
  startedBy: ProcessRecord
}

/** Ids of the workerd processes that this process has started. */
export async function ownWorkerds(): Promise<number[]> {
  const all = process.platform === 'linux' ? await fromProc() : await fromPs()
  return all
    .filter(({ parent, name }) => parent === process.pid && name.endsWith('workerd'))
    .map(({ pid }) => pid)
}

/** Records `pid` and this process. Only the user can read the file. */
export async function recordWorkerd(file: string, pid: number): Promise<void> {
  const [workerd, startedBy] = await Promise.all([identityOf(pid), identityOf(process.pid)])
  if (workerd === undefined || startedBy === undefined) return
  const record: BridgeRecord = {
    workerd: { pid, identity: workerd },
    startedBy: { pid: process.pid, identity: startedBy },
  }
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, JSON.stringify(record), { mode: 0o600 })
  } catch {
    // The bridge works without the record.
  }
}

/**
 * Ends the workerd that a killed process has left behind.
 *
 * @returns its process id, or `undefined` if nothing was left behind. Any other process is left alone.
 */
export async function endOrphan(file: string): Promise<number | undefined> {
  const record = await readRecord(file)
  if (!record) return undefined
  const { workerd, startedBy } = record
  if (!(await isRunning(workerd)) || (await isRunning(startedBy))) return undefined
  process.kill(workerd.pid, 'SIGKILL')
  for (let waited = 0; waited < END_MS && (await isRunning(workerd)); waited += POLL_MS) {
    await pause(POLL_MS)
  }
  await rm(file, { force: true })
  return workerd.pid
}

async function isRunning({ pid, identity }: ProcessRecord): Promise<boolean> {
  return (await identityOf(pid)) === identity
}

async function readRecord(file: string): Promise<BridgeRecord | undefined> {
  try {
    const value = JSON.parse(await readFile(file, 'utf8')) as BridgeRecord
    const isValid = [value.workerd, value.startedBy].every(
      ({ pid, identity }) => Number.isInteger(pid) && pid > 1 && typeof identity === 'string',
    )
    return isValid && /^workerd /.test(value.workerd.identity) ? value : undefined
  } catch {
    return undefined
  }
}

/** @returns `undefined` if no such process runs, or if the system does not say. */
async function identityOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') {
      const { name, state, started } = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
      return state === 'Z' ? undefined : `${name} ${started}`
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'comm=,lstart=', '-p', String(pid)])
    return stdout.trim().replace(/^\S*\//, '') || undefined
  } catch {
    return undefined
  }
}

interface Process {
  pid: number
  parent: number
  name: string
}

async function fromProc(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => {
      // A process may end meanwhile.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const { name, parent } = parseStat(stat)
      return { pid: Number(pid), parent, name }
    }),
  )
}

/** The name may contain spaces and parentheses. The start time is field 22, in clock ticks since the machine started. */
function parseStat(stat: string) {
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? []
  const fields = rest.split(' ')
  return { name, state: fields[0], parent: Number(fields[1]), started: fields[19] }
}

async function fromPs(): Promise<Process[]> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,comm='])
    const rows = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)]
    return rows.map(([, pid, parent, name = '']) => ({
      pid: Number(pid),
      parent: Number(parent),
      name,
    }))
  } catch {
    // Windows has no ps: there, a process that is left behind is not ended.
    return []
  }
}
