// What a day of edits leaves in the process that serves: neither compiled components nor threads of earlier versions.
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { startHost } from 'ftl-host'
import { afterEach, expect, test } from 'vitest'
import { collectAll } from '../../host/src/instance/discarded.ts'
import { writeApplication } from '../hostile/support/application.ts'
import { built } from '../hostile/support/wat.ts'

const EDITS = 8

/** The last one, the one before, whose threads have just ended, and one that a register may still hold. */
const MOST_KEPT = 3

const { compile } = WebAssembly

afterEach(() => {
  WebAssembly.compile = compile
})

/** The same component, as another file: with a custom section at the end. */
const version = (wasm: Uint8Array, nth: number) =>
  Buffer.concat([wasm, Buffer.from([0, 4, 1, 0x76, nth & 0xff, nth >> 8])])

test(
  `of ${EDITS} versions of a component that were served, the earlier ones are not kept`,
  { timeout: 120_000 },
  async () => {
    const modules: WeakRef<WebAssembly.Module>[] = []
    const threads = new Set<Worker>()
    // Not a spy of vitest, which would keep what was returned.
    WebAssembly.compile = async (bytes: BufferSource) => {
      const module = await compile(bytes)
      modules.push(new WeakRef(module))
      return module
    }
    const onWorker = (worker: Worker) => {
      threads.add(worker)
      worker.once('exit', () => threads.delete(worker))
    }
    process.on('worker', onWorker)
    const wasm = await built('echo')
    const application = await writeApplication({ echo: { wasm: version(wasm, 0) } })
    const host = await startHost({
      manifest: application.manifest,
      listen: '127.0.0.1:0',
      stateDir: '',
      cacheDir: join(application.folder, 'cache'),
      env: {},
      workers: 1,
      development: true,
    })
    try {
      const threadsAtFirst = threads.size
      for (let nth = 1; nth <= EDITS; nth++) {
        const file = join(application.folder, 'dist/echo.wasm')
        await writeFile(file, version(wasm, nth))
        // Two files of the same size in one tick of the clock would be the same file.
        await utimes(file, nth, nth)
        await host.reload()
        // It has no such page; that it says so itself is enough.
        expect((await fetch(`${host.url}/echo/`)).status).toBe(404)
      }
      expect(modules.length).toBeGreaterThan(EDITS)
      await expect.poll(() => threads.size, { timeout: 20_000 }).toBeLessThanOrEqual(threadsAtFirst)
      const kept = () => {
        collectAll()
        return modules.filter((each) => each.deref() !== undefined).length
      }
      await expect.poll(kept, { timeout: 20_000 }).toBeLessThanOrEqual(MOST_KEPT)
    } finally {
      process.off('worker', onWorker)
      await host.close()
      await application.remove()
    }
  },
)
