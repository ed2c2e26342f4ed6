/**
 * The embedded host: an application of a `spin.toml`, served by this process.
 *
 * @module
 */
import { join, resolve } from 'node:path'
import { MountedFiles } from './files/mounted-files.ts'
import { checkSupported, publicRoutes, triggeredComponents } from './manifest/application.ts'
import { Component } from './instance/component.ts'
import type { Program } from './instance/instance.ts'
import type { GuestRequest, LogStream } from './instance/services.ts'
import { KeyValueError, type KeyValueStores } from './kv/key-value.ts'
import { openSqliteStores } from './kv/sqlite.ts'
import { type ComponentManifest, type Manifest, ManifestError } from './manifest/manifest.ts'
import { loadManifest } from './manifest/parse.ts'
import { ComponentOutbound } from './outbound/component-outbound.ts'
import { Network } from './outbound/network.ts'
import { prepare } from './prepare/prepare.ts'
import { type ListenAddress, localHost, parseListenAddress } from './server/listen-address.ts'
import { Front } from './server/server.ts'
import { Variables } from './variables/variables.ts'

export interface HostOptions {
  /** `spin.toml`, or the folder it is in. */
  manifest: string
  /**
   * `host:port`; port 0 takes a free one. There is no TLS and no login: keep it on this machine, or put a
   * proxy in front.
   *
   * @default '127.0.0.1:3000'
   */
  listen?: string
  /** Values of variables; they win over the environment and `.env`. */
  variables?: Record<string, string>
  /** @default process.env */
  env?: Record<string, string | undefined>
  /** Folder of the key-value database; empty keeps it in memory. @default '.spin' beside the manifest */
  stateDir?: string
  /** Folder of prepared modules. @default '.ftl/cache' beside the manifest */
  cacheDir?: string
  /**
   * Bytes of memory one request may take; a guest that asks for more sees its allocation fail.
   *
   * @default 134_217_728, the limit of Akamai Functions
   */
  maxInstanceMemory?: number
  /** Requests one component serves at once; further ones get 503. @default 250 */
  maxInstances?: number
  /** Milliseconds `close` waits for requests that run. @default 2000 */
  drainMs?: number
  onProgress?: (event: PrepareEvent) => void
  onLog?: (entry: LogEntry) => void
  onError?: (entry: ErrorEntry) => void
}

export interface PrepareEvent {
  component: string
  /** `cached`: there was nothing to prepare. */
  state: 'preparing' | 'prepared' | 'cached'
  /** Since the component's turn began. */
  milliseconds: number
}

/** A line a component wrote. */
export interface LogEntry {
  component: string
  stream: LogStream
  line: string
}

/** Something that failed and that no client is told about. */
export interface ErrorEntry {
  component: string
  message: string
}

export interface Host {
  /** Without a slash at the end. */
  url: string
  manifest: Manifest
  /** Public routes. */
  routes: { route: string; component: string }[]
  /** Takes no more requests, lets those that run come to their end, frees everything. */
  close(): Promise<void>
}

const DEFAULT_MEMORY = 128 * 1024 * 1024

/**
 * Serves an application.
 *
 * @throws {ManifestError} {@link PrepareError} {@link MissingVariablesError} {@link PortInUseError}
 * @example
 * const host = await startHost({ manifest: 'spin.toml', listen: '127.0.0.1:0' })
 * const answer = await fetch(host.url)
 * await host.close()
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const address = parseListenAddress(options.listen ?? '127.0.0.1:3000')
  const manifest = await loadManifest(options.manifest)
  const variables = new Variables(manifest, {
    overrides: options.variables,
    env: options.env ?? process.env,
    folders: [process.cwd(), manifest.folder],
  })
  checkSupported(manifest)
  const triggered = triggeredComponents(manifest)
  const programs = await Promise.all(
    triggered.map(async (component) => ({
      component,
      program: await prepareComponent(component, manifest, options),
    })),
  )
  const stores = openSqliteStores(
    options.stateDir === undefined ? join(manifest.folder, '.spin') : options.stateDir,
  )
  try {
    return await serve({ options, manifest, variables, stores, programs, address })
  } catch (error) {
    stores.close()
    throw error
  }
}

interface Parts {
  options: HostOptions
  manifest: Manifest
  variables: Variables
  stores: KeyValueStores
  programs: { component: ComponentManifest; program: Program }[]
  address: ListenAddress
}

async function serve(parts: Parts): Promise<Host> {
  const { options, manifest, variables, stores, programs, address } = parts
  const { onError = () => {}, onLog = () => {}, drainMs = 2000 } = options
  const network = new Network()
  const components = new Map<string, Component>()
  const dispatch = (id: string, request: GuestRequest) => components.get(id)?.handle(request)
  const self: ListenAddress = { host: '127.0.0.1', port: 0 }
  for (const { component, program } of programs) {
    const { id } = component
    const loaded = new Component({
      program,
      maxInstances: options.maxInstances ?? 250,
      onError: (message) => onError({ component: id, message }),
      services: {
        component: id,
        environment: component.environment,
        files: new MountedFiles({ folder: manifest.folder, ...component }),
        variable: (name) => variables.get(id, name),
        log: (stream, line) => onLog({ component: id, stream, line }),
        openStore: (label) => {
          if (component.keyValueStores.includes(label)) return stores.open(label)
          throw new KeyValueError('access-denied')
        },
        outbound: new ComponentOutbound({
          allowedHosts: () =>
            component.allowedOutboundHosts.map((entry) => variables.resolve(entry)),
          dispatch,
          network,
          self: () => self,
          onRefused: (message) => onError({ component: id, message }),
        }),
      },
    })
    loaded.warm()
    components.set(id, loaded)
  }
  const front = new Front({ manifest, dispatch, onError })
  const bound = await front.listen(address)
  Object.assign(self, { host: localHost(bound.address), port: bound.port })
  const host = self.host.includes(':') ? `[${self.host}]` : self.host
  return {
    url: `http://${host}:${bound.port}`,
    manifest,
    routes: publicRoutes(manifest),
    close: async () => {
      const deadline = performance.now() + drainMs
      await front.close(drainMs)
      // Work after the response (waitUntil) has no connection that waits for it.
      while (performance.now() < deadline && [...components.values()].some((c) => c.running > 0)) {
        await new Promise((wake) => setTimeout(wake, 10))
      }
      for (const component of components.values()) component.close()
      network.close()
      stores.close()
    },
  }
}

async function prepareComponent(
  { id, source }: ComponentManifest,
  manifest: Manifest,
  { cacheDir, maxInstanceMemory = DEFAULT_MEMORY, onProgress = () => {} }: HostOptions,
): Promise<Program> {
  if (typeof source !== 'string') {
    const reason = 'must be a local path: this host downloads nothing'
    throw new ManifestError(manifest.file, `component.${id}.source`, reason)
  }
  const started = performance.now()
  let missed = false
  const report = (state: PrepareEvent['state']) =>
    onProgress({ component: id, state, milliseconds: performance.now() - started })
  const program = await prepare({
    component: id,
    source: resolve(manifest.folder, source),
    cacheDir: cacheDir ?? join(manifest.folder, '.ftl', 'cache'),
    memoryLimit: maxInstanceMemory,
    onMiss: () => {
      missed = true
      report('preparing')
    },
  })
  report(missed ? 'prepared' : 'cached')
  return program
}
