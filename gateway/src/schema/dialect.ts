/** The dialects of JSON Schema, as numbers that can be compared: drafts 6 and 7, then 2019(-09) and 2020(-12). */
export type Dialect = number

const DIALECT = /^https?:\/\/json-schema\.org\/draft(?:-(0[67])|\/(2019-09|2020-12))\/schema#?$/

/**
 * The dialect a schema names.
 *
 * @returns 2020 when `$schema` is absent, as MCP specifies; NaN when the dialect is not supported.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic#json-schema-usage
 */
export function dialectOf($schema: unknown): Dialect {
  if ($schema === undefined) return 2020
  const [, draft, year] = (typeof $schema === 'string' && DIALECT.exec($schema)) || []
  return parseInt(draft ?? year ?? '')
}
