import { fileURLToPath } from 'node:url'
import { buildComponents } from '../../cli/src/build/index.ts'
import { loadApplication } from '../../cli/src/targets.ts'
import { buildReporter } from '../../cli/src/ui.ts'

/** The application and the fixtures the tests run against; all are real components. */
export const MANIFESTS = {
  application: path('../../spin.toml'),
  fixtures: path('../fixtures/app/spin.toml'),
  host: path('../fixtures/host/spin.toml'),
}

/** Builds every component the tests need before the first of them starts. */
export default async function buildEverything(): Promise<void> {
  const applications = await Promise.all(
    Object.values(MANIFESTS).map((file) => loadApplication(file)),
  )
  const [first] = applications
  if (!first) return
  await buildComponents(
    applications.flatMap(({ targets }) => targets),
    { cacheFolder: first.cacheFolder, onEvent: buildReporter({ quietWhenCached: true }) },
  )
}

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
