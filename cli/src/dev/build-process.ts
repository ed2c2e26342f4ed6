/**
 * The process that builds for `ftl dev`: building a component blocks its thread for seconds, and the server must
 * respond meanwhile. It exits when its parent disconnects.
 */
import { fileURLToPath } from 'node:url'
import { prepareAhead } from 'ftl-host'
import { buildEach } from '../build/index.ts'
import { placesOf } from './places.ts'
import type { BuildMessage, BuildRequest } from './build-messages.ts'

export function serveBuilds(): void {
  const send = (message: BuildMessage) => process.send?.(message)
  process.on('disconnect', () => process.exit())
  process.on('message', (request: BuildRequest) => {
    void answer(request, send).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error)
      send({ type: 'failed', problem })
    })
  })
}

async function answer(
  { targets, cacheFolder, maxInstanceMemory, runtimeConfigFile }: BuildRequest,
  send: (message: BuildMessage) => void,
): Promise<void> {
  const started = performance.now()
  const { inputs, changed, failed } = await buildEach(targets, {
    cacheFolder,
    onEvent: (event) => send({ type: 'event', event }),
  })
  const builtMs = performance.now() - started
  const named = Promise.all(
    targets.map(async ({ id, output }) => [id, await placesOf(output, isOfAuthor)] as const),
  )
  for (const { id, output } of targets) {
    if (!changed.includes(id)) continue
    await prepareAhead({
      component: id,
      source: output,
      cacheDir: cacheFolder,
      maxInstanceMemory,
      runtimeConfigFile,
    })
  }
  const preparedMs = performance.now() - started
  send({
    type: 'done',
    inputs: [...inputs],
    changed,
    places: (await named).flatMap(([id, text]) => (text === undefined ? [] : [[id, text]])),
    failed: failed.map(({ component, problems }) => ({ component, problems: [...problems] })),
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
