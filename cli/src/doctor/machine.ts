/** Checks the machine: Node, ports, and whether folders can be written. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The Node that runs the components: bin/ftl.mjs has found or fetched it, whatever the user's own is. */
export function checkNode(): Finding {
  const { version } = process
  if ('Suspending' in WebAssembly)
    return ok('node', `${version}, and its WebAssembly can wait (JSPI)`)
  return problem(
    'node',
    `${version} has no WebAssembly that can wait (JSPI)`,
    'install Node 26, or name one: FTL_NODE=/path/to/node',
  )
}

export interface PortUse {
  port: number
  /** What listens there when everything runs. */
  what: string
  /** How to choose another. */
  flag: string
  /** Ports at which this application is served already. @default none */
  served?: readonly number[]
}

export async function checkPort({ port, what, flag, served = [] }: PortUse): Promise<Finding> {
  const about = `port ${port}`
  if (await isFree(port)) return ok(about, `free for the ${what}`)
  if (served.includes(port)) return ok(about, 'this application is served there')
  const owner = ownerOf(port)
  const who = owner === undefined ? 'another program' : owner
  return warning(
    about,
    `in use by ${who}, so the ${what} cannot listen there`,
    `end it${owner === undefined ? ` (lsof -i :${port} names it)` : ''}, or choose another port with ${flag}`,
  )
}

/** Checks the folder, or its nearest existing parent, because the folder would be created there. */
export function checkWritable(about: string, folder: string): Finding {
  let place = folder
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  try {
    // Creates a folder, because reported permissions are wrong on some file systems and for root.
    rmdirSync(mkdtempSync(join(place, '.ftl-doctor-')))
    return ok(about, `${folder} can be written`)
  } catch {
    return problem(
      about,
      `${place} cannot be written`,
      `give yourself the right to (ls -ld ${place} says whose it is), or name another folder with --state-dir`,
    )
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (free) await new Promise((resolve) => server.close(resolve))
  return free
}

/** Name and id of the process that listens. Reads /proc, so only on Linux and for processes of the same user. */
function ownerOf(port: number): string | undefined {
  try {
    const inode = socketOf(port)
    if (inode === undefined) return undefined
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (!hasSocket(pid, inode)) continue
      return `${readFileSync(join('/proc', pid, 'comm'), 'utf8').trim()} (process ${pid})`
    }
  } catch {
    return undefined
  }
  return undefined
}

function socketOf(port: number): string | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const row of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/)
      if (local.endsWith(wanted) && state === '0A') return inode
    }
  }
  return undefined
}

function hasSocket(pid: string, inode: string): boolean {
  try {
    const folder = join('/proc', pid, 'fd')
    return readdirSync(folder).some((fd) => {
      try {
        return readlinkSync(join(folder, fd)) === `socket:[${inode}]`
      } catch {
        return false
      }
    })
  } catch {
    return false
  }
}
