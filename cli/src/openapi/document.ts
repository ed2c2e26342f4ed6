/** Reads an OpenAPI document, with the parts of it in other files, as OpenAPI 3.1. */
import { resolve } from 'node:path'
import { isNested, isObject } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { Reader } from './document-reader.ts'
import type { Fields } from './references.ts'
import { repetitionProblem } from './repetition.ts'

export interface ApiDocument {
  document: Fields
  /** Of a document from the network. */
  base?: string
  /** A URL, or an absolute path. */
  address: string
}

/** Places in YAML that repeat another one: without a limit, some lines become gigabytes. */
const MAX_ALIASES = 10_000

/** @throws {CommandFailure} that says what is wrong with the document. */
export async function readDocument(source: string): Promise<ApiDocument> {
  const isRemote = /^https?:\/\//i.test(source)
  const reader = new Reader(isRemote ? new URL(source).href : resolve(source), isRemote)
  const text = await reader.readFirst()
  const { address } = reader
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
  let parsed: unknown
  try {
    parsed = parseYaml(text, { maxAliasCount: MAX_ALIASES, merge: true, logLevel: 'error' })
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    throw new CommandFailure(`${source}: is neither JSON nor YAML: ${first}`)
  }
  const problem = repetitionProblem(parsed)
  if (problem !== undefined) throw new CommandFailure(`${source}: ${problem}`)
  return parsed
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
            // The library would print the address, as the document has it.
            return { ok: true, data: {}, raw: '' }
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
