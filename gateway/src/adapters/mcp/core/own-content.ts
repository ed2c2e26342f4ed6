/**
 * Content of a tool's own type, such as `custom/chart`, in a form that every MCP client accepts.
 *
 * Official clients check the type of every item and lose the whole result if they do not know one.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#embedded-resources
 */
import { asObject, type Content, isString, type ToolResult } from 'ftl-contract'

const STANDARD = /^(text|image|audio|resource(_link)?)$/

/**
 * Embeds each item of another type as a resource of JSON, and gives a result without a text one. Most results need neither
 * and are not copied.
 */
export function withStandardContent(result: ToolResult): ToolResult {
  const { content } = result
  const standard = content.every(isStandard) ? content : content.map(embedded)
  const text = standard.some(({ type }) => type === 'text') ? '' : textFor(result, standard)
  if (text !== '') return { ...result, content: [{ type: 'text', text }, ...standard] }
  return standard === content ? result : { ...result, content: standard }
}

/** What it is and where: several agent frameworks read texts only, and of several the first. */
function textFor({ structuredContent }: ToolResult, content: readonly Content[]): string {
  const lines = content.flatMap((item) => {
    if (item.type === 'audio') return [`Audio (${String(item.mimeType)})`]
    const { uri, title, name, mimeType } = asObject(item.type === 'resource' ? item.resource : item)
    if (!isString(uri)) return []
    const label = [title, name, 'File'].find(isString)
    return [`${label}${isString(mimeType) ? ` (${mimeType})` : ''}: ${uri}`]
  })
  // https://modelcontextprotocol.io/specification/2026-07-28/server/tools#structured-content
  if (structuredContent !== undefined && content.length === 0) {
    lines.push(JSON.stringify(structuredContent))
  }
  return lines.join('\n')
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
