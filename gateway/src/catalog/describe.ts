/**
 * Reads what a component says about itself, and leaves out the tools that would break a client's whole list.
 *
 * @module
 */
import type { ToolDescription } from 'ftl-sdk/contract'
import { isObject } from '../values.ts'
import type { CallAddress } from './catalog.ts'

export interface Described {
  tools: ToolDescription[]
  /** Where it takes calls, by what it published, usable or not. */
  callAt: CallAddress[]
  /** One line for every tool left out. */
  problems: string[]
}

/** A component's answer to `GET /` is not what the contract says. The message is safe to show. */
export class NotAToolList extends Error {
  override readonly name = 'NotAToolList'
}

/** @throws {NotAToolList} */
export function describe(text: string): Described {
  const value = parse(text)
  const published = toArray(value)
  const described: Described = { tools: [], callAt: addresses(value, published), problems: [] }
  published.forEach((entry, index) => {
    const problem = problemOf(entry)
    if (problem === undefined) described.tools.push(withObjectType(entry as ToolDescription))
    else described.problems.push(`${label(entry, index)}: ${problem}`)
  })
  return described
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotAToolList('its description is not JSON')
  }
}

function toArray(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (!isObject(value)) throw new NotAToolList('its description is no tool and no list of tools')
  if (Array.isArray(value.tools)) return value.tools
  // A component may offer prompts or resources only.
  return 'prompts' in value || 'resources' in value || 'resourceTemplates' in value ? [] : [value]
}

/**
 * A component that is one tool may know `POST /` only, as the API reference has it; one made of a list may know
 * `POST /{tool}` only, also when the list has one entry.
 */
function addresses(value: unknown, published: unknown[]): CallAddress[] {
  if (published.length !== 1) return ['/{tool}']
  return published[0] === value ? ['/', '/{tool}'] : ['/{tool}', '/']
}

function label(entry: unknown, index: number): string {
  return isObject(entry) && isName(entry.name) ? `tool "${entry.name}"` : `tool ${index + 1}`
}

// Letters, digits and punctuation that survive in an address and in every client.
const NAME = /^[A-Za-z0-9_.-]{1,128}$/

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** Clients check the list as a whole: one tool of the wrong shape would cost them all the others. */
function problemOf(entry: unknown): string | undefined {
  if (!isObject(entry)) return 'it is not an object'
  if (entry.name === undefined) return 'it has no name'
  if (!isName(entry.name)) return 'its name must be 1 to 128 characters of A-Z a-z 0-9 _ . -'
  if (entry.inputSchema === undefined) return 'it has no inputSchema'
  if (!isObject(entry.inputSchema)) return 'its inputSchema must be a JSON Schema object'
  if (!['object', undefined].includes(entry.inputSchema.type as string | undefined)) {
    return 'its inputSchema must have the type "object"'
  }
  for (const field of ['title', 'description']) {
    if (!['string', 'undefined'].includes(typeof entry[field]))
      return `its ${field} must be a string`
  }
  for (const field of ['outputSchema', 'annotations', '_meta']) {
    if (entry[field] !== undefined && !isObject(entry[field]))
      return `its ${field} must be an object`
  }
  if (entry.icons !== undefined && !Array.isArray(entry.icons)) return 'its icons must be an array'
  return undefined
}

// Arguments are always an object, so a schema that leaves the type out means just that; clients insist on it.
function withObjectType(tool: ToolDescription): ToolDescription {
  if (tool.inputSchema.type === 'object') return tool
  return { ...tool, inputSchema: { type: 'object', ...tool.inputSchema } }
}
