// Builds every component the tests need, in one process. Run by node, because the test runner's own module
// loader cannot say where a package is installed.
import { buildComponents } from '../../cli/src/build/index.ts'
import { loadApplication } from '../../cli/src/application/load-application.ts'
import { buildReporter } from '../../cli/src/terminal/ui.ts'
import { MANIFESTS } from './manifests.ts'

const applications = await Promise.all(
  Object.values(MANIFESTS).map((file) => loadApplication(file)),
)
await buildComponents(
  applications.flatMap(({ targets }) => targets),
  {
    cacheFolder: applications[0]?.cacheFolder ?? '.ftl/cache',
    onEvent: buildReporter({ quietWhenCached: true }),
  },
)
