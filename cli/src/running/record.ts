/**
 * Where an application is served, written down beside its `spin.toml`, so that `ftl call` finds it on whatever port it
 * listens. Each process has a file of its own: an application can be served several times at once.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'

export interface RunningRecord {
  /** Origin of the gateway. */
  url: string
  pid: number
  /** Milliseconds since the epoch. */
  startedAt: number
  /** Whether it takes up changes by itself, as `ftl dev` does. */
  development: boolean
}

/** More than a record can have; a longer file was not written by `ftl`. */
const MAX_BYTES = 4096

export function recordFolder(application: string): string {
  return join(application, '.ftl', 'running')
}

/**
 * Writes the record of this process.
 *
 * @param application folder of the manifest.
 * @returns removes it again; the end of the process does so too.
 */
export function writeRecord(application: string, url: string, development = false): () => void {
  const folder = recordFolder(application)
  const file = join(folder, `${process.pid}.json`)
  const record: RunningRecord = { url, pid: process.pid, startedAt: Date.now(), development }
  try {
    mkdirSync(folder, { recursive: true })
    // Renamed into place: a reader never sees half of it.
    writeFileSync(`${file}.new`, JSON.stringify(record))
    renameSync(`${file}.new`, file)
  } catch {
    // A folder that cannot be written, as in a container: the application is served all the same.
    return () => {}
  }
  const remove = () => {
    process.off('exit', remove)
    rmSync(file, { force: true })
  }
  process.on('exit', remove)
  return remove
}

/** The records of processes that live, the newest first. Those of ended processes are removed. */
export function readRecords(application: string): RunningRecord[] {
  const folder = recordFolder(application)
  const records: RunningRecord[] = []
  for (const name of namesIn(folder)) {
    const record = readRecord(join(folder, name))
    if (record === undefined) continue
    if (isAlive(record.pid)) records.push(record)
    else rmSync(join(folder, name), { force: true })
  }
  return records.sort((a, b) => b.startedAt - a.startedAt)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}

function readRecord(file: string): RunningRecord | undefined {
  try {
    const stat = statSync(file)
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningRecord> | null
    const { url, pid, startedAt, development } = value ?? {}
    if (typeof url !== 'string' || !isOwnAddress(url)) return undefined
    if (!Number.isSafeInteger(pid) || (pid ?? 0) <= 1 || typeof startedAt !== 'number')
      return undefined
    return {
      url: new URL(url).origin,
      pid: pid ?? 0,
      startedAt,
      development: development === true,
    }
  } catch {
    return undefined
  }
}

/**
 * Whether an address is one of this machine. A folder that somebody else made can bring a record along; without this
 * check, `ftl call` would send its arguments, and headers with keys, to any server it names.
 */
export function isOwnAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (protocol !== 'http:' || username !== '' || password !== '') return false
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)) return true
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.some(({ address }) => address === host)
}

/** Whether the process lives, also if it belongs to another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
