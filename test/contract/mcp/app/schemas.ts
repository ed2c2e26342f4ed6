import type { JsonSchema, ToolDescription } from 'ftl-contract'

/** A string, reached by two ways at each of `depth` levels: 2^depth ways in all. */
function branching(depth: number): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`level${depth}`]: { type: 'string' } }
  for (let level = 0; level < depth; level++) {
    const next = { $ref: `#/$defs/level${level + 1}` }
    $defs[`level${level}`] = { anyOf: [next, next] }
  }
  return { type: 'object', properties: { value: { $ref: '#/$defs/level0' } }, $defs }
}

const SCHEMAS: Record<string, JsonSchema> = {
  // Only in 2020-12 does prefixItems mean anything; before, every pair would do.
  dialect_default: {
    type: 'object',
    properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }] } },
  },
  // Only before 2020-12 may items be an array.
  dialect_draft_07: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { pair: { items: [{ type: 'string' }, { type: 'integer' }] } },
  },
  dialect_unknown: { $schema: 'https://example.com/my-own-dialect', type: 'object' },
  unicode_pattern: {
    type: 'object',
    properties: { name: { type: 'string', pattern: '^\\p{Lu}(?:\\p{L}|[ -])*$' } },
  },
  // The gateway could reach this address, as it reaches every component.
  network_ref: {
    type: 'object',
    properties: { value: { $ref: 'http://oddities.spin.internal/schema' } },
  },
  endless: {
    type: 'object',
    properties: { value: { $ref: '#/$defs/loop' } },
    $defs: { loop: { $ref: '#/$defs/loop' } },
  },
  branching: branching(40),
  header_params: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: ['boolean', 'null'], 'x-mcp-header': 'Dry-Run' },
      options: {
        type: 'object',
        properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } },
      },
    },
  },
  header_name_invalid: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'My Region' } },
  },
  header_on_number: {
    type: 'object',
    properties: { ratio: { type: 'number', 'x-mcp-header': 'Ratio' } },
  },
  header_in_items: {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } } },
  },
}

/** Tools whose input schema is what is tested. They answer with their arguments. */
export const SCHEMA_TOOLS: ToolDescription[] = Object.entries(SCHEMAS).map(
  ([name, inputSchema]) => ({ name, description: `Fixture ${name}`, inputSchema }),
)
