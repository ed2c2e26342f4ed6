/**
 * The tool's description with the names the mounted files have.
 *
 * @module
 */
import type { JsonSchema, ToolDescription } from 'ftl-sdk'
import type { Config } from './config.ts'

/** Adds the render types and styles as enums, so that a client offers them and the gateway refuses others. */
export function describeWith(
  description: ToolDescription,
  { renderTypes, styles }: Config,
): ToolDescription {
  const { inputSchema } = description
  const types = renderTypes.map(({ name, description: about }) =>
    about ? `${name}: ${about}` : name,
  )
  const properties = { ...(inputSchema.properties as Record<string, JsonSchema>) }
  properties.render_type = {
    ...properties.render_type,
    ...enumOf(renderTypes.map(({ name }) => name)),
    default: renderTypes[0]?.name,
    description: `How the image is made. ${types.join('; ')}`,
  }
  // Without styles there is nothing to choose from, and an empty enum is not allowed.
  if (styles.length === 0) delete properties.style_names
  else {
    const items = enumOf(styles.map(({ name }) => name))
    properties.style_names = { ...properties.style_names, items }
  }
  return { ...description, inputSchema: { ...inputSchema, properties } }
}

function enumOf(names: string[]): JsonSchema {
  return { type: 'string', enum: names }
}
