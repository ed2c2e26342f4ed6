/**
 * The process that builds for `ftl dev`: building a component blocks its thread for seconds, and the server must
 * respond meanwhile. It exits when its parent disconnects.
 */
import { fileURLToPath } from 'node:url'
import { collectAll, prepareAhead, PrepareError } from 'ftl-host'
import { buildEach, type BuildTarget } from '../build/index.ts'
import { endBundler } from '../build/end-bundler.ts'
import { placesOf } from './source-places.ts'
import type { BuildMessage, BuildRequest, ComponentFailure } from './build-messages.ts'

/** Milliseconds after the last build in which an author may save again. */
const REST_MS = 3000

export function serveBuilds(): void {
  let resting: NodeJS.Timeout | undefined
  let builds = 0
  const send = (message: BuildMessage) => process.send?.(message)
  process.on('disconnect', () => process.exit())
  process.on('message', (request: BuildRequest) => {
    clearTimeout(resting)
    builds++
    void answer(request, send)
      .catch((error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error)
        send({ type: 'failed', problem })
      })
      .finally(() => {
        if (--builds > 0) return
        // What a build leaves is outside the heap, where nothing presses for a collection: 100 MB after twenty builds.
        collectAll()
        resting = setTimeout(() => void endBundler().then(collectAll), REST_MS)
      })
  })
}

async function answer(
  { targets, cacheFolder, maxInstanceMemory, runtimeConfigFile }: BuildRequest,
  send: (message: BuildMessage) => void,
): Promise<void> {
  const started = performance.now()
  const places = new Map<string, Promise<string | undefined>>()
  const readPlaces = ({ id, output }: BuildTarget) => places.set(id, placesOf(output, isOfAuthor))
  const { inputs, changed, failed } = await buildEach(targets, {
    cacheFolder,
    onEvent: (event) => {
      send({ type: 'event', event })
      // The map is there, and this thread waits for the engine now.
      const target = targets.find(({ id }) => id === event.id)
      if (event.state === 'building' && target) readPlaces(target)
    },
  })
  const builtMs = performance.now() - started
  const failures = failed.map(({ component, problems }): ComponentFailure => ({
    component,
    problems: [...problems],
  }))
  for (const target of targets) {
    const { id, output } = target
    if (!places.has(id)) readPlaces(target)
    if (!changed.includes(id)) continue
    try {
      await prepareAhead({
        component: id,
        source: output,
        cacheDir: cacheFolder,
        maxInstanceMemory,
        runtimeConfigFile,
      })
    } catch (error) {
      if (!(error instanceof PrepareError)) throw error
      failures.push({ component: id, problems: [error.message] })
    }
  }
  const preparedMs = performance.now() - started
  const named = await Promise.all([...places].map(async ([id, text]) => [id, await text] as const))
  send({
    type: 'done',
    inputs: [...inputs],
    changed,
    places: named.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]])),
    failed: failures,
    builtMs,
    preparedMs,
  })
}

/** Neither a library nor what the builder adds nor our own modules. */
function isOfAuthor(file: string): boolean {
  return (
    !/[\\/]node_modules[\\/]|\.entry\.js$|ftl:[\w-]+$/.test(file) &&
    !OURS.some((folder) => file.startsWith(folder))
  )
}

const OURS = ['ftl-sdk', 'ftl-platform/spin', 'ftl-contract'].map((name) =>
  fileURLToPath(new URL('..', import.meta.resolve(name))),
)
