/**
 * Packages beside the workspaces, each with a lock file of its own. They bring what is large and what few need, so that
 * `npm ci` in the root stays small.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Their folders: clients and libraries of tests, the site, and what `npm run engine` needs. */
export const SIDE_PACKAGES = ['test/judges', 'docs', 'engine'] as const

export type SidePackage = (typeof SIDE_PACKAGES)[number]

const REPOSITORY = fileURLToPath(new URL('../', import.meta.url))

/** What reads and installs packages; tests have others. */
export interface Side {
  /** Folder of the repository. */
  root: string
  /** Runs `npm ci` in a folder, and rejects when it fails. */
  npmCi: (folder: string) => Promise<void>
  /** Receives lines about what takes longer than a moment. */
  say: (line: string) => void
}

const HERE: Side = { root: REPOSITORY, npmCi, say: (line) => console.error(line) }

/** Whether everything that its manifest names is there, in these versions. */
export function isInstalled(name: SidePackage, { root }: Pick<Side, 'root'> = HERE): boolean {
  const modules = join(root, name, 'node_modules')
  // npm writes it last: without it, an installation was interrupted.
  if (!existsSync(join(modules, '.package-lock.json'))) return false
  const { dependencies = {} } = readManifest(join(root, name))
  return Object.entries(dependencies).every(([each, version]) => {
    const folder = join(modules, each)
    return existsSync(folder) && readManifest(folder).version === version
  })
}

/** @throws {Error} that says what to run, if it is not installed. */
export function requireInstalled(name: SidePackage, side: Pick<Side, 'root'> = HERE): void {
  if (isInstalled(name, side)) return
  throw new Error(`the packages of ${name} are not installed: run "npm ci --prefix ${name}"`)
}

/** Installs what is missing, and says so, because it takes half a minute. */
export async function install(name: SidePackage, side: Side = HERE): Promise<void> {
  if (isInstalled(name, side)) return
  const started = performance.now()
  side.say(`Installing the packages of ${name} (npm ci) …`)
  await side.npmCi(join(side.root, name))
  requireInstalled(name, side)
  side.say(
    `Installed the packages of ${name} in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  )
}

interface Manifest {
  version?: string
  dependencies?: Record<string, string>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Its output is shown only when it fails. */
function npmCi(cwd: string): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const child = spawn('npm', args, {
    cwd,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`npm ci in ${cwd} failed:\n${output.trim()}`))
    })
  })
}
