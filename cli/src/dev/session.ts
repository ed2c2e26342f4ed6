/**
 * The loop of `ftl dev`: when a file changes, builds the components it affects and reloads the host. Failures are
 * shown, and the host keeps serving the last good state.
 */
import { BuildError } from '../build/index.ts'
import { describeFailure } from '../failure.ts'
import type { Application } from '../targets.ts'
import { abandonStep, line, paint } from '../ui.ts'
import type { BuildRequest } from './build-messages.ts'
import { Builder } from './builder.ts'
import { affectedBy, watchedBy } from './affected.ts'
import { FileWatch } from './file-watch.ts'
import { type ForeignComponent, foreignComponents, runBuildCommands } from './foreign-components.ts'

export interface DevSessionOptions {
  application: Application
  /** Reads the manifest again. */
  load: () => Promise<Application>
  builder: Pick<Builder, 'build' | 'close'>
  /** Options with which the host prepares components. */
  memory: Pick<BuildRequest, 'maxInstanceMemory' | 'runtimeConfigFile'>
  /** Called when a change affects the application, before it is built. */
  onSaved?: () => void
}

/** Serves an application whose manifest or components have changed. */
export type TakeUp = (application: Application) => Promise<void>

export class DevSession {
  readonly #options: DevSessionOptions
  readonly #watch: FileWatch
  readonly #stop = new AbortController()
  readonly #inputs = new Map<string, string[]>()
  readonly #failed = new Set<string>()
  /** Whether the served state may be older than the files on disk, because a build or reload failed. */
  #behind = false
  #application: Application
  #changed = new Set<string>()
  #waiting: (() => void) | undefined

  constructor(options: DevSessionOptions) {
    this.#options = options
    this.#application = options.application
    this.#watch = new FileWatch((paths) => {
      for (const path of paths) this.#changed.add(path)
      this.#waiting?.()
    })
  }

  get application(): Application {
    return this.#application
  }

  /** Builds everything, and retries after changes until it succeeds. @returns `false` when closed before. */
  async buildAll(): Promise<boolean> {
    while (!this.#stop.signal.aborted) {
      this.#follow()
      const foreign = foreignComponents(this.#application)
      try {
        const foreignBuilt = await this.#buildForeign(foreign, 'waiting for a change')
        await this.#build(this.#application.targets.map(({ id }) => id))
        if (foreignBuilt) return !this.#stop.signal.aborted
      } catch (error) {
        if (this.#stop.signal.aborted) return false
        this.#show(error, 'waiting for a change')
      }
      await this.#untilAffected()
    }
    return false
  }

  /** Runs until the session is closed. */
  async run(takeUp: TakeUp): Promise<void> {
    this.#follow()
    while (!this.#stop.signal.aborted) {
      const changed = await this.#nextChange()
      if (this.#stop.signal.aborted) return
      const started = performance.now()
      try {
        if (!(await this.#handle(changed, takeUp))) continue
        line(paint('green', `  serving the change after ${seconds(started)} s`))
      } catch (error) {
        if (this.#stop.signal.aborted) return
        this.#show(error, 'the last good state stays up')
      } finally {
        this.#follow()
      }
    }
  }

  /** Does not wait for a running build, because its result is no longer needed. */
  close(): void {
    this.#stop.abort()
    this.#watch.close()
    this.#options.builder.close()
    this.#waiting?.()
  }

  /** @returns whether the served state has changed. */
  async #handle(changed: ReadonlySet<string>, takeUp: TakeUp): Promise<boolean> {
    const affected = affectedBy(changed, this.#application, this.#inputs, this.#failed)
    const { manifest, components, foreign, sources } = affected
    if (!manifest && !sources && components.length + foreign.length === 0) return false
    this.#options.onSaved?.()
    let ids = components
    if (manifest) {
      const before = this.#application
      if (!(await this.#loadApplication('the last good one stays in force'))) return false
      line(paint('dim', `  ${describeChange(before, this.#application)}`))
      ids = this.#application.targets.map(({ id }) => id)
    }
    const commands = manifest ? foreignComponents(this.#application) : foreign
    const foreignBuilt = await this.#buildForeign(commands, 'its last good build stays up')
    const built = await this.#build(ids)
    if (manifest && !foreignBuilt) {
      // A component that was never built cannot be served, so the whole application waits for it.
      this.#behind = true
      return false
    }
    const others = manifest || sources || (foreign.length > 0 && foreignBuilt) || built.length > 0
    if (!others && !this.#behind) return false
    this.#behind = true
    await takeUp(this.#application)
    this.#behind = false
    return true
  }

  /** Shows each failure, so that one component does not prevent the builds of the others. @returns whether all succeeded. */
  async #buildForeign(
    components: readonly ForeignComponent[],
    consequence: string,
  ): Promise<boolean> {
    let succeeded = true
    for (const component of components) {
      try {
        await runBuildCommands(component, this.#stop.signal)
      } catch (error) {
        this.#show(error, consequence)
        succeeded = false
      }
    }
    return succeeded
  }

  /** @returns ids of components whose build result has changed. */
  async #build(ids: readonly string[]): Promise<string[]> {
    const { targets, cacheFolder } = this.#application
    const wanted = targets.filter(({ id }) => ids.includes(id))
    if (wanted.length === 0) return []
    try {
      const { memory, builder } = this.#options
      const { inputs, changed } = await builder.build({ targets: wanted, cacheFolder, ...memory })
      for (const [id, files] of inputs) this.#inputs.set(id, files)
      for (const id of ids) this.#failed.delete(id)
      return changed
    } catch (error) {
      for (const id of ids) this.#failed.add(id)
      this.#behind = true
      throw error
    }
  }

  async #loadApplication(consequence: string): Promise<boolean> {
    try {
      this.#application = await this.#options.load()
      return true
    } catch (error) {
      this.#show(error, consequence)
      return false
    }
  }

  /** Waits for a change that may fix the failure. */
  async #untilAffected(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const changed = await this.#nextChange()
      const affected = affectedBy(changed, this.#application, this.#inputs, this.#failed)
      const { manifest, components, foreign, sources } = affected
      if (manifest && !(await this.#loadApplication('waiting for a change'))) continue
      if (manifest || sources || components.length + foreign.length > 0) return
    }
  }

  async #nextChange(): Promise<ReadonlySet<string>> {
    if (this.#changed.size === 0 && !this.#stop.signal.aborted) {
      await new Promise<void>((resolve) => (this.#waiting = resolve))
      this.#waiting = undefined
    }
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }

  #follow(): void {
    const { files, trees } = watchedBy(this.#application, this.#inputs)
    this.#watch.set(files, trees)
  }

  #show(error: unknown, consequence: string): void {
    abandonStep()
    const text = describeFailure(error, false)
    line(paint('red', error instanceof BuildError ? text.replace(/^ftl: /, '') : text))
    line(paint('dim', `  ${consequence}`))
  }
}

function describeChange(before: Application, after: Application): string {
  const had = [...before.manifest.components.keys()]
  const has = [...after.manifest.components.keys()]
  const parts = [
    ...has.filter((id) => !had.includes(id)).map((id) => `new component ${id}`),
    ...had.filter((id) => !has.includes(id)).map((id) => `component ${id} is gone`),
  ]
  return `spin.toml has changed${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
