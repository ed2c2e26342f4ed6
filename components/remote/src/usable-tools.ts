/** Selects the tools of a server's list that can be published. */
import { isObject, isString, type JsonSchema, soundSchema } from 'ftl-contract'
import type { ToolDescription } from 'ftl-sdk'
import { namedArguments } from './argument-names.ts'
import { flatArguments } from './flat-arguments.ts'

/** Fields that the gateway checks; others belong to revisions and extensions that are not supported here. */
const FIELDS = [
  ...['name', 'title', 'description', 'inputSchema', 'outputSchema'],
  ...['annotations', 'icons', '_meta'],
]

/**
 * Characters of a description that a model gets for sure. Claude Code cuts it after 2,048.
 *
 * @see https://github.com/anthropics/claude-code/issues/81268
 */
const SHOWN_OF_DESCRIPTION = 2000

export interface UsableTool extends ToolDescription {
  /** It runs only as a task of 2025-11-25. @default false */
  onlyAsTask?: true
  /** The server's names of arguments, by those that are published instead. @default all are its own */
  ownNames?: Record<string, string>
}

export interface UsableTools {
  tools: UsableTool[]
  /** Bytes of the tools as JSON. */
  bytes: number
  problems: string[]
  /** How many are not listed for their size. */
  leftOut: number
}

/**
 * @param limit bytes of these tools as JSON.
 * @param features capabilities of the server.
 */
export function usableTools(
  list: readonly unknown[],
  limit: number,
  features: readonly string[] = [],
): UsableTools {
  const tools: UsableTool[] = []
  const problems: string[] = []
  let size = 0
  let tooMany = 0
  let repeated = 0
  const names = new Set<string>()
  for (const [index, entry] of list.entries()) {
    if (!isObject(entry) || typeof entry['name'] !== 'string' || !isObject(entry['inputSchema'])) {
      problems.push(`entry ${index + 1} of its list is not a tool`)
      continue
    }
    if (names.has(entry['name'])) {
      repeated++
      continue
    }
    names.add(entry['name'])
    const { execution } = entry
    const isTask = isObject(execution) && execution['taskSupport'] === 'required'
    const fields = FIELDS.filter((field) => entry[field] !== undefined)
    const tool = Object.fromEntries(fields.map((field) => [field, entry[field]]))
    // Without the capability, what a tool says of tasks does not count.
    if (isTask && features.includes('tasks')) tool['onlyAsTask'] = true
    const lost = withSoundSchemas(tool)
    if (lost !== undefined) problems.push(`its tool "${entry['name'].slice(0, 64)}": ${lost}`)
    const bytes = bytesOf(tool)
    if (size + bytes > limit) tooMany++
    else {
      size += bytes
      tools.push(tool as unknown as UsableTool)
    }
  }
  if (repeated > 0) problems.push(`${repeated} of its tools have the name of another one of it`)
  if (tooMany > 0) {
    problems.push(`${tooMany} of its tools are left out: its list has more than ${limit} bytes`)
  }
  return { tools, bytes: size, problems, leftOut: tooMany }
}

/** What all of these tools may have if they fit, and otherwise as many of the first as do. */
export function firstTools(tools: readonly UsableTool[], limit: number): UsableTool[] {
  let size = 0
  return tools.filter((tool) => {
    const bytes = bytesOf(tool)
    const fits = size + bytes <= limit
    if (fits) size += bytes
    return fits
  })
}

function bytesOf(tool: object): number {
  return new TextEncoder().encode(JSON.stringify(tool)).length
}

/**
 * Brings the schemas into the form that the gateway and its clients understand. What cannot be checked here is removed, so that
 * arguments pass: the server checks them anyway.
 *
 * @returns what was removed.
 */
function withSoundSchemas(tool: Record<string, unknown>): string | undefined {
  const { schema, lost } = soundSchema(tool['inputSchema'] as JsonSchema)
  const flat = flatArguments(schema)
  const { schema: named, own, nameOf } = namedArguments(flat.schema)
  // A reference may have led into a form, or to an argument by its name.
  tool['inputSchema'] = named === schema ? schema : soundSchema(named).schema
  if (own) tool['ownNames'] = own
  const sentence = flat.sentence(nameOf)
  const { description = '', outputSchema } = tool
  if (sentence !== undefined && isString(description)) {
    const texts = [description, sentence]
    const isLong = texts.join().length > SHOWN_OF_DESCRIPTION
    tool['description'] = (isLong ? texts.reverse() : texts).join('\n\n').trim()
  }
  // Python's servers do not check formats, and clients that do would lose the whole answer.
  if (isObject(outputSchema)) {
    tool['outputSchema'] = soundSchema(outputSchema, { ofResults: true }).schema
  }
  return lost[0] === undefined
    ? undefined
    : `part of its inputSchema cannot be checked, and arguments pass unchecked there: ${lost[0]}`
}
