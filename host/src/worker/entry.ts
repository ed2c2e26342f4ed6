/**
 * Where a worker thread begins.
 *
 * Reading and compiling sixty modules takes a worker most of its start; Node's code cache leaves a tenth of it, but
 * only for what is imported after it was switched on.
 */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { loadRedisClient } from '../kv/redis-connection.ts'
import { isNative } from '../native/native-program.ts'
import type { FromWorker } from '../wire/messages.ts'
import { harden } from './harden.ts'
import type { WorkerSettings } from './settings.ts'

const settings = workerData as WorkerSettings
const port = parentPort
if (port) {
  try {
    if (settings.codeCacheDir !== undefined) enableCompileCache(settings.codeCacheDir)
    for (const module of settings.imports) await import(module)
    const { start } = await import('./main.ts')
    if (Object.values(settings.stores).some(({ type }) => type === 'redis')) await loadRedisClient()
    start(settings, port)
    // No request has been served yet; a thread that cannot be hardened serves none.
    harden({ prototypes: settings.programs.some(({ program }) => isNative(program)) })
    port.postMessage({ type: 'ready' } satisfies FromWorker)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({ type: 'unfit', message } satisfies FromWorker)
    port.close()
  }
}
