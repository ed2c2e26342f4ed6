/**
 * Where a worker thread begins.
 *
 * Reading and compiling a hundred modules takes a worker most of its start; Node's code cache leaves a tenth of it, but
 * only for what is imported after it was switched on. Two files of JavaScript instead (`workerProgram`) leave less than half of the rest.
 */
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker } from '../wire/messages.ts'
import type { WorkerSettings } from './settings.ts'

const settings = workerData as WorkerSettings
const port = parentPort
if (port) {
  try {
    if (settings.codeCacheDir !== undefined) enableCompileCache(settings.codeCacheDir)
    for (const module of settings.imports) await import(module)
    const { begin } = await import('./main.ts')
    await begin(settings, port)
    port.postMessage({ type: 'ready' } satisfies FromWorker)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({ type: 'unfit', message } satisfies FromWorker)
    port.close()
  }
}
