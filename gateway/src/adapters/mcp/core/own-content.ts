/**
 * Content of a tool's own type, such as `custom/chart`, in a form that every MCP client accepts.
 *
 * Official clients check the type of every item and lose the whole result if they do not know one.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#embedded-resources
 */
import type { Content, ToolResult } from 'ftl-contract'

const STANDARD = /^(text|image|audio|resource(_link)?)$/

/** Embeds each item of another type as a resource of JSON. Most results have none and are not copied. */
export function withStandardContent(result: ToolResult): ToolResult {
  const { content } = result
  return content.every(isStandard) ? result : { ...result, content: content.map(embedded) }
}

function isStandard({ type }: Content): boolean {
  return STANDARD.test(type)
}

function embedded(item: Content, place: number): Content {
  if (isStandard(item)) return item
  return {
    type: 'resource',
    resource: {
      uri: `urn:ftl:content:${place}`,
      mimeType: `application/vnd.${item.type.replace(/[^a-z\d]+/gi, '.')}+json`,
      text: JSON.stringify(item),
    },
    // The item as the tool made it.
    _meta: { 'ftl/content': item },
  }
}
