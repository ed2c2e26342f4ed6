/**
 * The loop of `ftl dev`: when a file changes, builds the components it affects and reloads the host. A component that
 * does not build is replaced by one that says why, and all others are served.
 */
import { BuildError } from '../build/build-error.ts'
import type { BuildTarget } from '../build/index.ts'
import { describeFailure } from '../terminal/failure.ts'
import type { Application } from '../application/load-application.ts'
import { abandonStep, line, paint } from '../terminal/ui.ts'
import { Broken, type Overrides, overridesOf, standIn } from './broken-components.ts'
import type { BuildDone, BuildRequest } from './build-messages.ts'
import { Builder } from './builder.ts'
import { affectedBy, watchedBy } from './affected.ts'
import { FileWatch } from './file-watch.ts'
import {
  type ForeignComponent,
  foreignComponents,
  runBuildCommands,
} from '../foreign/foreign-components.ts'

export interface DevSessionOptions {
  application: Application
  /** Reads the manifest again. */
  load: () => Promise<Application>
  builder: Pick<Builder, 'build' | 'interrupt' | 'close'>
  /** Milliseconds after which a build that a newer change concerns is given up for it. @default 3000 */
  patienceMs?: number
  /** Options with which the host prepares components. */
  memory: Pick<BuildRequest, 'maxInstanceMemory' | 'runtimeConfigFile'>
  /** Called when a change that affects the application is served, or could not be. */
  onSaved?: () => void
}

/** Longer than a build takes, except on a very slow machine. */
const PATIENCE_MS = 3000

/** Serves an application whose manifest or components have changed. */
export type TakeUp = (application: Application, overrides: Overrides) => Promise<void>

export class DevSession {
  readonly #options: DevSessionOptions
  readonly #watch: FileWatch
  readonly #stop = new AbortController()
  readonly #inputs = new Map<string, string[]>()
  readonly #broken = new Broken()
  readonly #places = new Map<string, string>()
  /** Components whose build was given up for a newer change. */
  readonly #due = new Set<string>()
  /** Whether the served state may be older than the files on disk, because the build itself or a reload failed. */
  #behind = false
  /** Whether the change that is handled concerns the application. */
  #isSaved = false
  #application: Application
  #overrides: Overrides = {}
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

  /** What stands in for components that do not build. */
  get overrides(): Overrides {
    return this.#overrides
  }

  /** Builds each component. Waits for a change only where nothing can be built at all. @returns `false` when closed before. */
  async buildAll(): Promise<boolean> {
    while (!this.#stop.signal.aborted) {
      this.#follow()
      try {
        await this.#buildForeign(foreignComponents(this.#application))
        const built = await this.#build(this.#application.targets.map(({ id }) => id))
        if (!built) {
          this.#changed = new Set()
          continue
        }
        await this.#standIn()
        this.#follow()
        return !this.#stop.signal.aborted
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
      // A folder that is new must be watched before it is read: more may come into it while this builds.
      this.#follow()
      const started = performance.now()
      try {
        if (!(await this.#handle(changed, takeUp))) continue
        line(paint('green', `  serving the change after ${seconds(started)} s`))
      } catch (error) {
        if (this.#stop.signal.aborted) return
        this.#show(error, 'the last working version stays in use')
      } finally {
        this.#follow()
        if (this.#isSaved) this.#options.onSaved?.()
        this.#isSaved = false
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
    const affected = affectedBy(changed, this.#application, this.#inputs, this.#unsettled())
    const { manifest, components, foreign, sources } = affected
    if (!manifest && !sources && components.length + foreign.length === 0) return false
    this.#isSaved = true
    let ids = [...new Set([...components, ...this.#due])]
    if (manifest) {
      const before = this.#application
      if (!(await this.#loadApplication('the last working version stays in use'))) return false
      const file = changed.has(before.manifest.file) ? 'spin.toml' : '.env'
      line(paint('dim', `  ${file} has changed${describeChange(before, this.#application)}`))
      ids = this.#application.targets.map(({ id }) => id)
    }
    const before = this.#behind ? undefined : JSON.stringify(this.#overrides)
    this.#behind = true
    const commands = manifest ? foreignComponents(this.#application) : foreign
    await this.#buildForeign(commands)
    const built = await this.#build(ids)
    if (!built) return false
    await this.#standIn()
    const isSame = JSON.stringify(this.#overrides) === before
    if (!manifest && !sources && foreign.length + built.length === 0 && isSame) {
      this.#behind = false
      return false
    }
    await takeUp(this.#application, this.#overrides)
    this.#behind = false
    return true
  }

  async #buildForeign(components: readonly ForeignComponent[]): Promise<void> {
    for (const component of components) {
      line(`  … ${component.id}: ${component.command.join(' && ')}`)
      try {
        await runBuildCommands(component, this.#stop.signal)
        this.#broken.mended(component.id)
      } catch (error) {
        if (!(error instanceof BuildError)) throw error
        this.#fail(error.component, error.problems)
      }
    }
  }

  /** Components that a change of any file near their entry may concern. */
  #unsettled(more: readonly BuildTarget[] = []): Set<string> {
    return new Set([...this.#broken.ids, ...this.#due, ...more.map(({ id }) => id)])
  }

  /** @returns ids of components whose build result has changed; `undefined` when it was given up for a newer change. */
  async #build(ids: readonly string[]): Promise<string[] | undefined> {
    const { targets } = this.#application
    const wanted = targets.filter(({ id }) => ids.includes(id))
    if (wanted.length === 0) return []
    const done = await this.#runLatest(wanted)
    if (!done) {
      for (const { id } of wanted) this.#due.add(id)
      return undefined
    }
    this.#due.clear()
    const { inputs, changed, places, failed } = done
    for (const [id, text] of places) this.#places.set(id, text)
    for (const [id, files] of inputs) if (files.length > 0) this.#inputs.set(id, files)
    const bad = new Set(failed.map(({ component }) => component))
    for (const { id } of wanted) if (!bad.has(id)) this.#broken.mended(id)
    for (const { component, problems } of failed) this.#fail(component, problems)
    return changed
  }

  /** A module may never end loading, and its author has mended it before that is found out. */
  async #runLatest(targets: BuildTarget[]): Promise<BuildDone | undefined> {
    const { builder, patienceMs = PATIENCE_MS } = this.#options
    const until = performance.now() + patienceMs
    let isOvertaken = false
    let timer: NodeJS.Timeout | undefined
    this.#waiting = () => {
      const near = this.#unsettled(targets)
      const affected = affectedBy(this.#changed, this.#application, this.#inputs, near)
      const isNewer = targets.some(({ id }) => affected.components.includes(id))
      if (!isNewer && !affected.manifest) return
      timer ??= setTimeout(
        () => {
          isOvertaken = true
          builder.interrupt()
        },
        Math.max(0, until - performance.now()),
      )
    }
    try {
      return await this.#run(targets)
    } catch (error) {
      if (!isOvertaken) throw error
      abandonStep()
      line(paint('dim', '  starting again with the newer change'))
      return undefined
    } finally {
      clearTimeout(timer)
      this.#waiting = undefined
    }
  }

  #run(targets: BuildTarget[]): Promise<BuildDone> {
    const { memory, builder } = this.#options
    const { cacheFolder } = this.#application
    return builder.build({ targets, cacheFolder, ...memory })
  }

  #fail(component: string, problems: readonly string[]): void {
    if (this.#broken.add(component, problems)) {
      this.#show(new BuildError(component, problems), 'calls of it are answered with this error')
    } else {
      line(paint('red', `${component} still does not build, for the same reason`))
    }
  }

  /** Chooses the stand-ins for components that do not build, and builds the stand-in if it is missing. */
  async #standIn(): Promise<void> {
    const reasons = this.#broken.reasons(this.#application)
    if (reasons.size > 0) {
      const { failed } = await this.#run([standIn(this.#application)])
      const [problem] = failed
      if (problem) throw new BuildError(problem.component, problem.problems)
    }
    this.#overrides = overridesOf(reasons, this.#places, this.#application)
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
      const affected = affectedBy(changed, this.#application, this.#inputs, this.#broken.ids)
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
    const { files, trees } = watchedBy(this.#application, this.#inputs, this.#broken.ids)
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
    ...had.filter((id) => !has.includes(id)).map((id) => `component ${id} was removed`),
  ]
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
