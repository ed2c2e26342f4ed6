import { buildComponents } from '../../cli/src/build/index.ts'
import { loadApplication } from '../../cli/src/application/load-application.ts'
import { buildReporter } from '../../cli/src/terminal/ui.ts'
import { MANIFESTS } from '../support/manifests.ts'

/** Builds the gateway and the fixtures, where they have changed. */
export async function buildConformanceApplication(): Promise<void> {
  const { targets } = await loadApplication(MANIFESTS.conformance)
  const { cacheFolder } = await loadApplication(MANIFESTS.application)
  await buildComponents(targets, {
    cacheFolder,
    onEvent: buildReporter({ quietWhenCached: true }),
  })
}
