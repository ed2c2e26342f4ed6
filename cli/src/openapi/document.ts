/** Reads an OpenAPI document, with the parts of it in other files, as OpenAPI 3.1. */
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { isNested, isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import type { Fields } from './references.ts'

export interface ApiDocument {
  document: Fields
  /** Of a document from the network. */
  base?: string
  /** A URL, or an absolute path. */
  address: string
}

/** Bytes of all files of a document together. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_FILES = 5_000
const TIMEOUT_MS = 60_000
/** Places in YAML that repeat another one: without a limit, some lines become gigabytes. */
const MAX_ALIASES = 10_000

/** @throws {CommandFailure} that says what is wrong with the document. */
export async function readDocument(source: string): Promise<ApiDocument> {
  const isRemote = /^https?:\/\//i.test(source)
  const address = isRemote ? new URL(source).href : resolve(source)
  const reader = new Reader(address, isRemote)
  const text = await reader.read(address)
  const parsed = await parse(text, source)
  if (!isObject(parsed))
    throw new CommandFailure(`${source}: must be an OpenAPI document, as JSON or YAML`)
  const version = parsed['openapi'] ?? parsed['swagger']
  if (typeof version !== 'string' || !/^(2\.0|3\.\d)/.test(version)) {
    throw new CommandFailure(
      `${source}: must have "openapi" 3.0 or 3.1, or "swagger" 2.0, and has ${JSON.stringify(version) ?? 'neither'}`,
    )
  }
  const whole = hasOtherFiles(parsed) ? await withOtherFiles(parsed, address, reader) : parsed
  return {
    document: await upgraded(whole, source),
    ...(isRemote && { base: address }),
    address,
  }
}

async function parse(text: string, source: string): Promise<unknown> {
  try {
    if (/^[\s\uFEFF]*\{/.test(text)) return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch (error) {
    // YAML has objects in braces, too. What is neither gets the message of JSON, which most documents are.
    if (/\.json$/i.test(source)) {
      throw new CommandFailure(`${source}: is not JSON: ${(error as Error).message}`)
    }
  }
  const { parse: parseYaml } = await import('yaml')
  try {
    return parseYaml(text, { maxAliasCount: MAX_ALIASES, merge: true }) as unknown
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    throw new CommandFailure(`${source}: is neither JSON nor YAML: ${first}`)
  }
}

async function upgraded(document: Fields, source: string): Promise<Fields> {
  const { upgrade } = await import('@scalar/openapi-upgrader')
  try {
    // It changes what it is given.
    return upgrade(structuredClone(document), '3.1')
  } catch (error) {
    throw new CommandFailure(`${source}: cannot be read as OpenAPI: ${(error as Error).message}`)
  }
}

function hasOtherFiles(root: unknown): boolean {
  const seen = new Set<unknown>()
  const rest: unknown[] = [root]
  while (rest.length > 0) {
    const value = rest.pop()
    if (!isNested(value) || seen.has(value)) continue
    seen.add(value)
    const ref = isObject(value) ? value['$ref'] : undefined
    if (typeof ref === 'string' && !ref.startsWith('#')) return true
    for (const part of Object.values(value) as unknown[]) rest.push(part)
  }
  return false
}

async function withOtherFiles(document: Fields, address: string, reader: Reader): Promise<Fields> {
  const { bundle } = await import('@scalar/json-magic/bundle')
  const failures: string[] = []
  const whole = await bundle(document, {
    treeShake: false,
    origin: address,
    plugins: [
      {
        type: 'loader',
        validate: () => true,
        async exec(other: string) {
          try {
            const raw = await reader.read(other)
            return { ok: true, data: await parse(raw, other), raw }
          } catch (error) {
            failures.push((error as Error).message)
            return { ok: false }
          }
        },
      },
    ],
  })
  const [first] = failures
  if (first !== undefined) {
    const more = failures.length > 1 ? ` (and ${failures.length - 1} more)` : ''
    throw new CommandFailure(`a part of the document cannot be read: ${first}${more}`)
  }
  return whole as Fields
}

/**
 * Reads a document and its parts. A document is the work of a stranger: one of a file may name files of its own folder and
 * below, one of a URL addresses of the same origin.
 */
class Reader {
  readonly #root: string
  readonly #isRemote: boolean
  #bytes = 0
  #files = 0
  constructor(address: string, isRemote: boolean) {
    this.#root = isRemote ? new URL(address).origin : dirname(address)
    this.#isRemote = isRemote
  }

  /** @throws {CommandFailure} */
  async read(address: string): Promise<string> {
    if (++this.#files > MAX_FILES) throw new CommandFailure(`it has more than ${MAX_FILES} files`)
    const bytes = this.#isRemote ? await this.#fetch(address) : await this.#open(address)
    this.#bytes += bytes.length
    if (this.#bytes > MAX_BYTES) {
      throw new CommandFailure(`it has more than ${MAX_BYTES / 1024 / 1024} MB`)
    }
    return new TextDecoder().decode(bytes)
  }

  async #open(path: string): Promise<Uint8Array> {
    const below = relative(this.#root, resolve(path))
    if (/^https?:/i.test(path) || below.startsWith(`..${sep}`) || below === '..') {
      throw new CommandFailure(
        `${path} is not in the folder of the document. Bundle the document into one file first`,
      )
    }
    try {
      return await readFile(path)
    } catch (error) {
      throw new CommandFailure(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    }
  }

  async #fetch(address: string): Promise<Uint8Array> {
    if (!URL.canParse(address) || new URL(address).origin !== this.#root) {
      throw new CommandFailure(
        `${address} is not on the server of the document. Bundle the document into one file first`,
      )
    }
    let response: Response
    try {
      response = await fetch(address, {
        headers: { accept: 'application/json, application/yaml, */*;q=0.5' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
    } catch (error) {
      const { cause, message } = error as Error
      throw new CommandFailure(
        `${address} cannot be read: ${(cause as Error | undefined)?.message ?? message}`,
      )
    }
    if (!response.ok) throw new CommandFailure(`${address} answers with HTTP ${response.status}`)
    const pieces: Uint8Array[] = []
    let length = this.#bytes
    for await (const piece of response.body ?? []) {
      length += piece.length
      if (length > MAX_BYTES) {
        throw new CommandFailure(`${address} has more than ${MAX_BYTES / 1024 / 1024} MB`)
      }
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  }
}
