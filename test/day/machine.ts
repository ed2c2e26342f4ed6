/** A machine with one Node, npm, and nothing of ours: what its user has on the path, and empty folders of its own. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, realpath, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

export interface Machine {
  /** `v20.20.2` */
  version: string
  /** An empty folder to work in. */
  folder: string
  env: NodeJS.ProcessEnv
}

/** What npm's scripts and the lines of the guides start besides Node. */
const PROGRAMS =
  'sh bash env ls cat cp mv rm mkdir touch git curl tar gzip uname which ps sleep script stty tty dirname basename ' +
  'openssl sqlite3 sha256sum cut printf'

/**
 * @param node path of its Node.
 * @param folder is made.
 */
export async function machineWith(node: string, folder: string): Promise<Machine> {
  const bin = join(folder, 'bin')
  const work = join(folder, 'work')
  await mkdir(bin, { recursive: true })
  await mkdir(work)
  await symlink(await realpath(node), join(bin, 'node'))
  for (const name of ['npm', 'npx']) {
    const own = await realpath(onPath(name))
    await symlink(own, join(bin, name))
  }
  for (const name of PROGRAMS.split(' ')) {
    const found = which(name)
    if (found !== undefined) await symlink(found, join(bin, name))
  }
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  return { version, folder: work, env: environment(bin, folder) }
}

/**
 * What npm and test runners add to the environment. Certificates stay: without those of its network's proxy, npm asks a registry
 * for each package for more than a minute, and installs nothing.
 */
const ADDED =
  /^(npm_(?!config_(cache|registry|cafile)$)|FTL_|SPIN_|VITEST|NODE_(?!EXTRA_CA_CERTS$))/i

/** The environment of this process without that. */
function environment(bin: string, folder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !ADDED.test(name))
  return {
    ...Object.fromEntries(kept),
    PATH: bin,
    NO_COLOR: '1',
    COMFYUI_URL: '',
    INIT_CWD: undefined,
    XDG_CACHE_HOME: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  }
}

function onPath(name: string): string {
  const found = which(name)
  if (found === undefined) throw new Error(`there is no ${name} on the path`)
  return found
}

/** The first program of this name that is not one of a package's. */
export function which(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
}
