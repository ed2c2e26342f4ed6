// Evaluates a bundle in the engine's core module, as `ftl build` does, but in V8: the host's threads are workers too.
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

const { engine, source, now, seed } = workerData
const module = new WebAssembly.Module(readFileSync(engine))
const stdin = Buffer.from(source)
let read = 0
let memory
const text = []
const view = () => new DataView(memory.buffer)
const real = {
  fd_write(fd, at, count, written) {
    let total = 0
    for (let n = 0; n < count; n += 1) {
      const [start, length] = [
        view().getUint32(at + n * 8, true),
        view().getUint32(at + n * 8 + 4, true),
      ]
      text.push(Buffer.from(new Uint8Array(memory.buffer, start, length)))
      total += length
    }
    view().setUint32(written, total, true)
    return 0
  },
  fd_read(fd, at, count, got) {
    const [start, length] = [view().getUint32(at, true), view().getUint32(at + 4, true)]
    const part = stdin.subarray(read, read + length)
    new Uint8Array(memory.buffer).set(part, start)
    read += part.length
    view().setUint32(got, part.length, true)
    return 0
  },
  // The engine must not depend on these.
  clock_time_get(id, precision, out) {
    view().setBigUint64(out, BigInt(Math.round((now + performance.now()) * 1e6)), true)
    return 0
  },
  random_get(out, length) {
    new Uint8Array(memory.buffer, out, length).fill(seed)
    return 0
  },
  environ_sizes_get(count, size) {
    view().setUint32(count, 0, true)
    view().setUint32(size, 0, true)
    return 0
  },
  environ_get: () => 0,
  fd_fdstat_get: () => 8,
  fd_seek: () => 70,
  fd_close: () => 0,
  proc_exit(status) {
    throw new Error(`exit ${status}`)
  },
}
const imports = {}
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  imports[from] ??= {}
  imports[from][name] =
    real[name] ??
    (() => {
      throw new Error(`call of ${from} ${name}`)
    })
}
let problem
try {
  const { exports } = new WebAssembly.Instance(module, imports)
  memory = exports.memory
  exports._initialize?.()
  exports['wizer.initialize']()
} catch (error) {
  problem = `${error.name}: ${error.message}`
}
const bytes = workerData.wantsMemory ? new Uint8Array(memory.buffer).slice() : undefined
parentPort.postMessage({ problem, text: Buffer.concat(text).toString(), memory: bytes })
