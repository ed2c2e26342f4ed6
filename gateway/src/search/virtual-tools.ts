/**
 * The tools of the gateway by which a client uses tools that are not in its list. Their names are reserved
 * (`catalog/names.ts`), and together they take the same few hundred tokens whatever the catalog.
 */
import type { ToolDescription } from 'ftl-contract'
import { DETAILS, LONGEST_QUERY, MOST_RESULTS } from '../calls/search-limits.ts'
import { ownTool } from '../calls/job-tools.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { HINTS } from '../catalog/annotation-hints.ts'

export const SEARCH = 'search_tools'
const DESCRIBE = 'describe_tools'
/** Not `call_tool`, its older name: semantic-kernel leaves a tool of that name out of its list. */
const CALL = 'use_tool'
/** Works when it is called, and is in no list. */
const OLD_CALL = 'call_tool'

/** Whether a call of this name calls another tool. */
export function isCall(name: string): boolean {
  return name === CALL || name === OLD_CALL
}

/** Tools of one description. */
const MOST_DESCRIBED = 20

const NAME = { type: 'string', description: 'Name from search_tools' }

const DESCRIPTIONS: (ToolDescription & { inputSchema: object })[] = [
  {
    name: SEARCH,
    title: 'Search tools',
    description:
      'Finds tools that are not in the list of tools, by what they do. Search first when no listed tool fits.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          maxLength: LONGEST_QUERY,
          description: 'What the tool should do, in a few words; empty: all',
        },
        detail: {
          enum: DETAILS,
          description:
            'brief (default): a sentence each; detailed: TypeScript declarations; full: JSON Schemas',
        },
        component: { type: 'string', description: 'Only tools of this component' },
        annotations: {
          type: 'object',
          description: 'Only tools with these hints',
          properties: Object.fromEntries(HINTS.map((hint) => [hint, { type: 'boolean' }])),
          additionalProperties: false,
        },
        limit: { type: 'integer', minimum: 1, maximum: MOST_RESULTS },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: DESCRIBE,
    title: 'Describe tools',
    description: 'Describes what tools take and return. Describe a tool before you call it.',
    inputSchema: {
      type: 'object',
      properties: {
        names: { type: 'array', items: NAME, minItems: 1, maxItems: MOST_DESCRIBED },
        format: {
          enum: ['typescript', 'json'],
          description: 'typescript (default) or JSON Schema',
        },
      },
      required: ['names'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    title: 'Use tool',
    description: 'Calls a tool that is not in the list of tools. Its result is that of the tool.',
    inputSchema: {
      type: 'object',
      properties: { name: NAME, arguments: { type: 'object', description: 'As described' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
]

const [search, describe, call] = DESCRIPTIONS.map(ownTool) as [
  CatalogTool,
  CatalogTool,
  CatalogTool,
]

/** Searches and describes. */
export const FINDING_TOOLS: readonly CatalogTool[] = [search, describe]
/** For clients that cannot call a tool that is not in their list. */
export const CALL_TOOL: CatalogTool = call

export const VIRTUAL_TOOLS: ReadonlyMap<string, CatalogTool> = new Map([
  ...[...FINDING_TOOLS, CALL_TOOL].map((tool) => [tool.name, tool] as const),
  [OLD_CALL, CALL_TOOL],
])
