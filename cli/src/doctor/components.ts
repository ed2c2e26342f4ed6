/** What was built: whether it is there, up to date, small enough, and asks for nothing a platform lacks. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { componentImports } from 'ftl-host'
import { BuildError, outdatedTargets } from '../build/index.ts'
import type { Application } from '../application/load-application.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Of a whole application on Akamai Functions. */
const AKAMAI_BYTES = 50 * 1024 ** 2

/**
 * Seconds that Spin takes to compile one million bytes of components, at most. Measured on two busy cores: 60 to 150 s
 * for eight components with 104 MB.
 */
const SPIN_SECONDS_PER_MB = 1.4

export async function checkComponents(application: Application): Promise<Finding[]> {
  const { manifest, targets } = application
  const findings: Finding[] = []
  let bytes = 0
  const unbuilt: Unbuilt[] = []
  let built = 0
  for (const { id, source, build } of manifest.components.values()) {
    const about = `component ${id}`
    if (typeof source !== 'string') {
      const message = 'its source is downloaded by Spin; the embedded host serves local files only'
      findings.push(warning(about, message, 'name a local .wasm to serve it with ftl'))
      continue
    }
    const target = targets.find((each) => each.id === id)
    const command = target ? `ftl build ${id}` : (build?.command.join(' && ') ?? '')
    const remedy =
      command === '' ? `put the file there, or give [component.${id}.build] a command` : command
    const wasm = await readFile(resolve(manifest.folder, source)).catch(() => undefined)
    if (!wasm) {
      unbuilt.push({ id, source, remedy, isOurs: target !== undefined })
      continue
    }
    bytes += wasm.length
    built++
    findings.push(importFinding(about, wasm, remedy))
    if (target) findings.push(...(await staleness(about, target, application, remedy)))
  }
  findings.push(...unbuiltFindings(unbuilt), sizeFinding(bytes))
  if (built > 0) findings.push(firstStartFinding(built, bytes))
  return findings
}

export interface Unbuilt {
  id: string
  source: string
  remedy: string
  /** Whether `ftl build` makes it. */
  isOurs: boolean
}

/** One line for all that one command builds: before the first build it is each of them. */
export function unbuiltFindings(unbuilt: readonly Unbuilt[]): Finding[] {
  const ours = unbuilt.filter(({ isOurs }) => isOurs)
  const alone = ours.length > 1 ? unbuilt.filter(({ isOurs }) => !isOurs) : unbuilt
  const findings = alone.map(({ id, source, remedy }) =>
    problem(`component ${id}`, `${source} is not there`, remedy),
  )
  if (ours.length < 2) return findings
  const names = ours.map(({ id }) => id).join(', ')
  return [problem('components', `${names} are not built`, 'ftl build'), ...findings]
}

function importFinding(about: string, wasm: Uint8Array, remedy: string): Finding {
  try {
    const missing = componentImports(wasm).filter(({ offered }) => !offered)
    const size = `${(wasm.length / 1e6).toFixed(1)} MB`
    if (missing.length === 0) return ok(about, `${size}, and imports only what every platform has`)
    const names = missing.map(({ name }) => name).join(', ')
    return problem(
      about,
      `imports ${names}, which the embedded host and Akamai Functions do not offer`,
      'build it for the world of wit/world.wit; docs/other-languages.md says how',
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return problem(about, `its file ${reason}`, remedy)
  }
}

async function staleness(
  about: string,
  target: Application['targets'][number],
  { cacheFolder }: Application,
  remedy: string,
): Promise<Finding[]> {
  try {
    const outdated = await outdatedTargets([target], { cacheFolder })
    if (outdated.length === 0) return []
    return [warning(about, 'its sources have changed since it was built', remedy)]
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return [problem(about, `cannot be built: ${error.problems[0] ?? ''}`, 'mend the source')]
  }
}

/** Spin compiles at its first start and keeps the result; without this line it looks as if it hangs. */
export function firstStartFinding(components: number, bytes: number): Finding {
  const seconds = Math.max(10, Math.ceil((bytes / 1e6) * SPIN_SECONDS_PER_MB * 0.1) * 10)
  const many = components === 1 ? '1 component' : `${components} components`
  const message = `compiles ${many} at its first start, which takes up to ${seconds} s; later starts take seconds`
  return ok('spin', message)
}

function sizeFinding(bytes: number): Finding {
  const size = `${(bytes / 1024 ** 2).toFixed(0)} MiB in all`
  if (bytes <= AKAMAI_BYTES) return ok('size', `${size}; Akamai Functions takes 50`)
  return warning(
    'size',
    `${size}, and Akamai Functions takes 50 MiB`,
    'put several tools into one component, or leave some out; anywhere else it does not matter',
  )
}
