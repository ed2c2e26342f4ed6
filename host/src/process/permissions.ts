/**
 * What the process that runs guests may do, as flags for Node's permission model, and which environment it gets.
 *
 * Code that got out of WebAssembly, and out of the restrictions of its thread, finds here that it may read the
 * application, write its state and open connections. It starts no process and loads no addon.
 * @see https://nodejs.org/api/permissions.html
 */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NO_CODE_GENERATION } from '../pool/code-generation.ts'
import type { ApplicationSettings } from '../runtime-config/application-settings.ts'
import type { Environment } from '../variables/provider.ts'

/** The folder of this package. */
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

export interface Access {
  application: ApplicationSettings
  cacheDir: string
  /** Temporary folder of the process. */
  temporary: string
  /** Addresses of modules that are loaded into the threads. */
  imports: readonly string[]
  env: Readonly<Record<string, string>>
  /** Path of the audit log. */
  audit?: string | undefined
}

/** Whether this Node has the permission model under its final name. */
export const hasPermissions = (): boolean => process.allowedNodeEnvironmentFlags.has('--permission')

export function permissionFlags(access: Access): string[] {
  const written = writablePaths(access)
  const read = [...readablePaths(access), ...written]
  const known = process.allowedNodeEnvironmentFlags
  return [
    '--permission',
    // Older versions do not restrict the network, and do not know the flag.
    ...(known.has('--allow-net') ? ['--allow-net'] : []),
    '--allow-worker',
    ...outerFirst(read).map((path) => `--allow-fs-read=${path}`),
    ...outerFirst(written).map((path) => `--allow-fs-write=${path}`),
    NO_CODE_GENERATION,
    // That threads are allowed, and that --permission changes, is nothing a user can act on.
    '--disable-warning=PERM0006',
    '--disable-warning=SecurityWarning',
    '--disable-warning=ExperimentalWarning',
  ]
}

/** Node 26 forgets a folder that is allowed after something in it, so folders come before what they hold. */
const outerFirst = (paths: readonly string[]) => [...new Set(paths)].sort()

function readablePaths({ application, cacheDir, imports, env }: Access): string[] {
  const files = [
    ...imports.filter((address) => address.startsWith('file:')).map((file) => fileURLToPath(file)),
    // Certificates that a user named for connections of Node and of OpenTelemetry.
    ...Object.entries(env).flatMap(([name, value]) => (/CERT|KEY$/.test(name) ? [value] : [])),
  ].map((file) => resolve(file))
  return [
    ...[PACKAGE, ...installedPackages(), cacheDir, ...applicationPaths(application)].flatMap(
      withContents,
    ),
    ...files.flatMap((file) => [file, realPath(file)]),
    // How many files the process may open.
    ...(process.platform === 'linux' ? ['/proc/self/limits'] : []),
    // Of modules that are imported, what they import beside them.
    ...imports.flatMap((address) =>
      address.startsWith('file:') ? [dirname(fileURLToPath(address))] : [],
    ),
  ]
}

/** Folders of packages that this one may import, as Node looks for them. */
function installedPackages(): string[] {
  const found: string[] = []
  for (const from of new Set([PACKAGE, realPath(PACKAGE)])) {
    for (let folder = resolve(from); ; folder = dirname(folder)) {
      found.push(join(folder, 'node_modules'))
      if (folder === dirname(folder)) break
    }
  }
  return found
}

/** What the components are and what they mount; the folder of the manifest, so that a reload finds new ones. */
function applicationPaths({ manifest }: ApplicationSettings): string[] {
  const { folder } = manifest
  const named = [...manifest.components.values()].flatMap(({ source, files }) => [
    ...(typeof source === 'string' ? [dirname(resolve(folder, source))] : []),
    ...files.flatMap((mount) => ('source' in mount ? [resolve(folder, mount.source)] : [])),
  ])
  return [folder, ...named]
}

function writablePaths({ application, cacheDir, temporary, audit }: Access): string[] {
  return [
    // And the files that are put aside beside it.
    ...(audit === undefined
      ? []
      : [audit, join(realPath(dirname(audit)), basename(audit))]
    ).flatMap((path) => [path, `${path}.*`]),
    ...stateFolders(application).flatMap(withContents),
    ...withContents(temporary),
    // The folder holds built components, too, which the host only reads.
    ...[cacheDir, realPath(cacheDir)].map((folder) => join(folder, 'host-*')),
  ]
}

/** Where entries of stores are kept. */
export function stateFolders({ state }: ApplicationSettings): string[] {
  const files = Object.values(state.stores ?? {}).flatMap((store) =>
    store.type === 'spin' && store.file !== undefined ? [dirname(store.file)] : [],
  )
  return [...(state.stateDir === '' ? [] : [state.stateDir]), ...files].map((path) => resolve(path))
}

/** What `next` would read outside of what `first` was allowed. */
export function beyond(first: ApplicationSettings, next: ApplicationSettings): string | undefined {
  const allowed = applicationPaths(first).flatMap((path) => [path, realPath(path)])
  const isAllowed = (path: string) =>
    allowed.some((folder) => path === folder || path.startsWith(folder + sep))
  return applicationPaths(next).find((path) => !isAllowed(path) || !isAllowed(realPath(path)))
}

/** Of a folder that is not there yet, Node allows the contents only where they are named. */
function withContents(path: string): string[] {
  return [...new Set([path, realPath(path)])].flatMap((each) => [each, join(each, '*')])
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Names of variables that Node, the C library and Windows read. */
const NAMES = new Set([
  ...['TZ', 'LANG', 'LC_ALL', 'SystemRoot', 'UV_THREADPOOL_SIZE', 'LD_LIBRARY_PATH'],
  ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'GLIBC_TUNABLES'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_USE_SYSTEM_CA'],
  ...['NODE_USE_ENV_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'NODE_NO_WARNINGS', 'NODE_TLS_REJECT_UNAUTHORIZED'],
])

/**
 * Pools from which the C library of Linux gives memory to threads, unless the user says otherwise. It makes eight for each
 * processor and gives little of them back: after ten minutes in which 889 threads were ended and replaced, they held 1,062 MB.
 */
const MALLOC_ARENA_MAX = '2'

/**
 * Bytes from which on the C library of Linux takes memory from the system for one allocation, and gives it back. Unless a
 * program sets this, it goes up to 32 MB after the first large one. The image of a component's memory, of which most is zero,
 * then came from the heap and was zeroed by hand: 5 MB for each component, instead of the 2 MB that are not zero.
 */
const MALLOC_MMAP_THRESHOLD_ = String(1024 * 1024)

/** Modules that the user loads into each Node: the process may not read them. */
const LOADS_MODULES = /(^|\s)(-r|--require|--import|--loader|--experimental-loader)\b/

/** What OpenTelemetry reads. */
export function telemetryEnvironment(env: Environment): Record<string, string> {
  return kept(env, (name) => name.startsWith('OTEL_'))
}

/** What Node and OpenTelemetry read, and no secret of the user's. */
export function hostEnvironment(
  temporary: string,
  env: Environment = process.env,
): Record<string, string> {
  const { NODE_OPTIONS: options = '' } = env
  return {
    MALLOC_ARENA_MAX,
    MALLOC_MMAP_THRESHOLD_,
    ...kept(env, (name) => name.startsWith('OTEL_') || NAMES.has(name)),
    ...(options !== '' && !LOADS_MODULES.test(options) && { NODE_OPTIONS: options }),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
  }
}

function kept(env: Environment, is: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && is(entry[0]),
    ),
  )
}
