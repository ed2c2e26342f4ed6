/** Builds an application once: what `ftl` itself builds, and components in other languages with their build commands. */
import { statSync } from 'node:fs'
import { BuildError, BuildErrors } from '../build/build-error.ts'
import type { BuildEvent } from '../build/index.ts'
import { checkAdded } from '../registry/added-lock.ts'
import type { Application } from '../application/load-application.ts'
import { line, paint } from '../terminal/ui.ts'
import { type ForeignComponent, foreignComponents, runBuildCommands } from './foreign-components.ts'

export interface ApplicationBuildOptions {
  /** Only these components. @default all */
  ids?: readonly string[]
  onEvent?: ((event: BuildEvent) => void) | undefined
  /** Whether standard output is reserved for a program, so that compilers print to standard error. @default false */
  quiet?: boolean
}

export interface ApplicationBuild {
  built: number
  total: number
  /** Why the others could not be built. */
  failed: BuildError[]
}

export async function buildApplication(
  application: Application,
  { ids = [], onEvent, quiet = false }: ApplicationBuildOptions = {},
): Promise<ApplicationBuild> {
  const { targets, cacheFolder } = application
  await checkAdded(application.manifest)
  const foreign = foreignComponents(application).filter(
    ({ id }) => ids.length === 0 || ids.includes(id),
  )
  // The builder takes as long to load as everything else of a command that only serves.
  const { buildEach } = await import('../build/index.ts')
  const ours = await buildEach(targets, { cacheFolder, ...(onEvent && { onEvent }) })
  const failed = [...ours.failed]
  let { built } = ours
  for (const component of foreign) {
    try {
      if (await buildForeign(component, { onEvent, quiet })) built++
    } catch (error) {
      if (!(error instanceof BuildError)) throw error
      failed.push(error)
    }
  }
  return { built, total: targets.length + foreign.length, failed }
}

/** Like {@link buildApplication}. @throws {BuildErrors} when something could not be built. */
export async function buildAll(
  application: Application,
  options: ApplicationBuildOptions,
): Promise<void> {
  const { failed } = await buildApplication(application, options)
  if (failed.length > 0) throw new BuildErrors(failed)
}

/** @returns whether the component is another than before. */
async function buildForeign(
  component: ForeignComponent,
  { onEvent, quiet }: Pick<ApplicationBuildOptions, 'onEvent' | 'quiet'>,
): Promise<boolean> {
  const { id, command, output } = component
  if (!quiet) line(`  … ${id}: ${command.join(' && ')}`)
  const started = performance.now()
  const before = changeTime(output)
  await withSignals((signal) => runBuildCommands(component, signal, quiet ? 2 : 1))
  const milliseconds = performance.now() - started
  const isNew = output === undefined || changeTime(output) !== before
  if (quiet) {
    onEvent?.({ id, state: isNew ? 'built' : 'cached', milliseconds })
  } else {
    const what = isNew ? `built in ${(milliseconds / 1000).toFixed(1)} s` : 'is up to date'
    line(`  ${paint('green', '✓')} ${id} ${paint('dim', what)}`)
  }
  return isNew
}

function changeTime(file: string | undefined): number | undefined {
  return file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

/** A build command runs in a process group of its own, so Ctrl-C reaches it through the signal alone. */
async function withSignals(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const end = () => {
    stop.abort()
    process.exit(130)
  }
  for (const name of names) process.on(name, end)
  try {
    await work(stop.signal)
  } finally {
    for (const name of names) process.off(name, end)
  }
}
