import type { JsonSchema } from 'ftl-contract'

/** Tools whose published schema is what is tested, by name; they answer with their arguments. */
export const SCHEMA_TOOLS: Record<string, JsonSchema> = {
  /** @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2106 */
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
  /** @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2243 */
  test_custom_header: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    additionalProperties: false,
  },
}
