/** From a component's `.wasm` to compiled modules the host can instantiate. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { PreparedProgram } from '../generic/generic-instance.ts'
import { prepareGeneric } from '../generic/prepare-generic.ts'
import { readComponent } from '../generic/read-component.ts'
import type { Program } from '../instance/instance.ts'
import { BinaryError } from '../wasm/binary.ts'
import { distrust, load, store } from './cache.ts'
import { checkModule } from '../wasm/check-module.ts'
import { fastWay, withheldOf } from './core-module.ts'
import { PAGE_COUNT_EXPORT } from '../wasm/added-exports.ts'
import { exportNames } from '../wasm/module-shape.ts'
import { rewriteModule } from '../wasm/rewrite-module.ts'
import { separateData } from '../wasm/separate-data.ts'
import { validate } from './validate.ts'

/** Goes up whenever the rewriting changes, so that old cache entries are not used. */
const PREPARATION_VERSION = 4

// A function is validated when it is first called. A component's 10 MB of code, of which it calls a tenth, was validated
// as a whole when it was prepared.
setFlagsFromString('--wasm-lazy-validation')

/** A component cannot be served; the message names it and says why. */
export class PrepareError extends Error {
  override readonly name = 'PrepareError'
}

export interface PrepareOptions {
  /** The component's id, for error messages. */
  component: string
  /** Absolute path of the `.wasm`. */
  source: string
  cacheDir: string
  /** Bytes an instance may take. */
  memoryLimit: number
  /** Called when the cache has nothing and the work begins. */
  onMiss?: () => void
}

/**
 * @throws {PrepareError} naming the component and file.
 */
export async function prepare({
  component,
  source,
  cacheDir,
  memoryLimit,
  onMiss = () => {},
}: PrepareOptions): Promise<PreparedProgram> {
  const failed = (reason: string, cause?: unknown) =>
    new PrepareError(`component "${component}": ${source} ${printable(reason)}`, { cause })
  const wasm = await readFile(source).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? failed('does not exist; build the component first')
      : failed(`cannot be read (${error.code})`, error)
  })
  const digest = createHash('sha256').update(wasm).digest('hex').slice(0, 40)
  const trusted = distrust(cacheDir) === undefined
  const cached = join(cacheDir, `host-${PREPARATION_VERSION}-${digest}-${memoryLimit}.wasm`)
  try {
    const bytes = trusted ? await load(cached) : undefined
    if (bytes) return await compile(bytes, withheldOf(readComponent(wasm)))
  } catch {
    // A damaged cache entry is made again.
  }
  onMiss()
  try {
    const validated = join(cacheDir, `host-${PREPARATION_VERSION}-${digest}.valid`)
    const isValidated = trusted && (await load(validated)) !== undefined
    if (!isValidated) await validate(wasm)
    const read = readComponent(wasm)
    // Those that do not run on the fast way, too: a component is refused or not, whichever way it takes.
    for (const module of read.modules) checkModule(module)
    const way = fastWay(read)
    if ('refused' in way) {
      const generic = await prepareGeneric({ component: read, memoryLimit, reason: way.refused })
      if (trusted && !isValidated) await store(validated, cacheDir, Buffer.alloc(0))
      return generic
    }
    const { bytes } = rewriteModule(way.main, memoryLimit)
    // What was rewritten is validated once, and then served from the cache.
    if (!WebAssembly.validate(bytes as Uint8Array<ArrayBuffer>))
      throw new BinaryError('is not valid WebAssembly once prepared')
    const program = await compile(bytes, withheldOf(read))
    if (trusted) await store(cached, cacheDir, bytes)
    return program
  } catch (error) {
    if (error instanceof BinaryError) throw failed(error.message, error)
    if (error instanceof WebAssembly.CompileError) throw failed('is not valid WebAssembly', error)
    throw error
  }
}

/** Characters of a reason that are shown: it may contain names out of the file. */
const REASON_LIMIT = 500

/** In one line and without control characters, which a terminal would obey. */
function printable(reason: string): string {
  return reason.slice(0, REASON_LIMIT).replace(/\s+/g, ' ').replace(/\p{C}/gu, '?')
}

/** Components of one engine get one compiled module: V8 recognises the bytes. */
async function compile(bytes: Buffer, withheld: readonly string[]): Promise<Program> {
  const resettable = exportNames(bytes).includes(PAGE_COUNT_EXPORT)
  const separated = resettable ? separateData(bytes) : undefined
  const code = (separated?.code ?? bytes) as Uint8Array<ArrayBuffer>
  return {
    module: await WebAssembly.compile(code),
    resettable,
    filled: separated?.filled,
    image: separated?.image,
    withheld,
  }
}
