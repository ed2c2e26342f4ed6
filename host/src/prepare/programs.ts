/** The compiled components of an application, kept so that a reload compiles only changed files. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { takeImage } from '../instance/instance.ts'
import { triggeredComponents } from '../manifest/application.ts'
import {
  type ComponentManifest,
  isGateway,
  type Manifest,
  ManifestError,
} from '../manifest/manifest.ts'
import { nativeProgram } from './choose-native.ts'
import { prepare } from './prepare.ts'
import type { PreparedProgram } from '../generic/generic-instance.ts'
import type { NativeProgram } from '../native/native-program.ts'

/** Progress in preparing a component. */
export interface PrepareEvent {
  component: string
  /** `cached`: there was nothing to prepare. */
  state: 'preparing' | 'prepared' | 'cached'
  /** Since the component's turn began. */
  milliseconds: number
}

export interface ProgramsOptions {
  cacheDir: string
  /** Maximum bytes of an instance. */
  memoryLimit: number
  /** Source of the host's own gateway. @default gateways run in the sandbox */
  nativeGateway?: string | undefined
  /** Sources of other components that come with the host. @default they run in the sandbox */
  nativeComponents?: readonly string[] | undefined
  /** A component was built of another version of such a source, and runs in the sandbox. */
  onOtherVersion?: ((component: string) => void) | undefined
  onProgress?: ((event: PrepareEvent) => void) | undefined
  /** Called when every component is compiled. Nothing needs their files any more, which take about 20 MB each. */
  onPrepared?: (() => void) | undefined
  onGeneric?: ((event: { component: string; reason: string }) => void) | undefined
}

export interface PreparedComponent {
  component: ComponentManifest
  program: PreparedProgram | NativeProgram
}

interface Known {
  /** Size, modification time and inode of the compiled file. */
  stamp: string
  program: Promise<PreparedProgram>
  /** Components for which `onGeneric` was called. */
  reported: Set<string>
}

export class Programs {
  readonly #options: ProgramsOptions
  /** By file: a file that several components of the manifest use is compiled once. */
  #known = new Map<string, Known>()

  constructor(options: ProgramsOptions) {
    this.#options = options
  }

  /**
   * Compiles all components that a trigger targets, again only if their file has changed.
   *
   * @throws {ManifestError} or {@link PrepareError}; the programs of earlier calls are kept then.
   */
  async prepareAll(manifest: Manifest): Promise<PreparedComponent[]> {
    const known = new Map<string, Known>()
    const prepared = await Promise.all(
      triggeredComponents(manifest).map(async (component) => ({
        component,
        program: await this.#prepare(component, manifest, known),
      })),
    )
    this.#known = known
    this.#options.onPrepared?.()
    return prepared
  }

  async #prepare(
    component: ComponentManifest,
    manifest: Manifest,
    known: Map<string, Known>,
  ): Promise<PreparedProgram | NativeProgram> {
    const { id, source } = component
    if (typeof source !== 'string') {
      const reason = 'must be a local path: this host downloads nothing'
      throw new ManifestError(manifest.file, `component.${id}.source`, reason)
    }
    const { onProgress = () => {}, onGeneric = () => {} } = this.#options
    const path = resolve(manifest.folder, source)
    const native = await nativeProgram(path, this.#sourcesFor(component), () =>
      this.#options.onOtherVersion?.(id),
    )
    if (native) return native
    const stamp = await stampOf(path)
    const started = performance.now()
    const report = (state: PrepareEvent['state']) =>
      onProgress({ component: id, state, milliseconds: performance.now() - started })
    // No `await` from here to `known.set`: components with the same file run at the same time.
    const same = [known.get(path), this.#known.get(path)].find((each) => each?.stamp === stamp)
    let missed = false
    const entry = same ?? {
      stamp,
      reported: new Set(),
      program: this.#compile(id, path, () => {
        missed = true
        report('preparing')
      }),
    }
    known.set(path, entry)
    const program = await entry.program
    report(missed ? 'prepared' : 'cached')
    if ('reason' in program && !entry.reported.has(id)) {
      entry.reported.add(id)
      onGeneric({ component: id, reason: program.reason })
    }
    return program
  }

  #sourcesFor(component: ComponentManifest): readonly string[] {
    const { nativeGateway, nativeComponents = [] } = this.#options
    if (!isGateway(component)) return nativeComponents
    return nativeGateway === undefined ? [] : [nativeGateway]
  }

  async #compile(component: string, source: string, onMiss: () => void): Promise<PreparedProgram> {
    const { cacheDir, memoryLimit } = this.#options
    const program = await prepare({ component, source, cacheDir, memoryLimit, onMiss })
    if ('module' in program) takeImage(program)
    return program
  }
}

async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0, ino: 0 }))
  return `${size} ${mtimeMs} ${ino}`
}
