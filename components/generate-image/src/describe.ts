/** The tools' descriptions with the names the mounted files have. */
import type { ContextPlatform, JsonSchema, ToolDescription } from 'ftl-sdk'
import { type CheckedConfig, readCheckedConfig, type RenderType } from './config.ts'
import { formatProblem, loadServers } from 'ftl-comfyui/servers'
import type { Field } from './config-schema.ts'
import { offerModels } from './offer-models.ts'
import { type Choices, readChoices } from './server-choices.ts'

/** Key in a description's `_meta`: what was left out of the configuration, and why. */
export const PROBLEMS_META_KEY = 'generate-image/configuration-problems'

/**
 * Describes the tools that have a render type; those without one are left out.
 *
 * @throws {ToolError} when no render type can be used.
 */
export async function describeTools(
  platform: ContextPlatform,
  descriptions: readonly ToolDescription[],
): Promise<ToolDescription[]> {
  const config = await readCheckedConfig(platform)
  const servers = await loadServers(platform)
  // A server that cannot be used is the operator's business only, so it is logged and not published.
  for (const problem of [...config.problems, ...servers.problems]) {
    console.warn(formatProblem(problem))
  }
  const choices =
    config.modelArguments.size > 0 ? await readChoices(platform, servers).catch(withoutChoices) : {}
  return descriptions
    .filter(({ name }) => config.renderTypes.some(({ tool }) => tool === name))
    .map((description) => describeWith(description, config, choices))
}

/** Without its store the component still lists its tools. */
function withoutChoices(error: unknown): Choices {
  console.warn('the lists of the ComfyUI servers were not read:', error)
  return {}
}

/** Adds the render types and styles as enums, so that a client offers them and the gateway refuses others. */
function describeWith(
  description: ToolDescription,
  config: CheckedConfig,
  choices: Choices,
): ToolDescription {
  const { inputSchema, name: tool } = description
  // Others are accepted to be named in the result, and not offered.
  const { additionalProperties: _, ...form } = inputSchema
  const offered = config.renderTypes.filter((renderType) => renderType.tool === tool)
  const properties = { ...(inputSchema.properties as Record<string, JsonSchema>) }
  properties.render_type = {
    ...properties.render_type,
    ...enumOf(offered.map(({ name }) => name)),
    default: offered[0]?.name,
    description: `How the image is made. ${offered.map(aboutType).join('; ')}`,
  }
  // Without styles there is nothing to choose from, and an empty enum is not allowed.
  if (config.styles.length === 0) delete properties.style_names
  else if (properties.style_names) {
    const items = enumOf(config.styles.map(({ name }) => name))
    properties.style_names = { ...properties.style_names, items }
  }
  if (tool === 'generate_image') {
    offerImage(properties, 'image', offered, config.fields)
    offerImage(properties, 'mask', offered, config.fields)
    const isTaken = (field: Field) =>
      offered.some(({ name }) => config.fields.get(name)?.has(field))
    if (!isTaken('seed')) delete properties.variations
    if (!isTaken('width') || !isTaken('height')) {
      delete properties.width
      delete properties.height
    }
    offerModels(properties, config.modelArguments, choices)
  }
  const problems = config.problems.map(formatProblem)
  return {
    ...description,
    inputSchema: { ...form, properties },
    ...(problems.length > 0 && {
      _meta: { ...description._meta, [PROBLEMS_META_KEY]: problems },
    }),
  }
}

/** An argument no render type takes would only mislead. */
function offerImage(
  properties: Record<string, JsonSchema>,
  argument: 'image' | 'mask',
  offered: RenderType[],
  fields: CheckedConfig['fields'],
): void {
  const taking = offered.filter(({ name }) => fields.get(name)?.has(argument))
  if (taking.length === 0) {
    delete properties[argument]
    return
  }
  const types = taking.map(({ name }) => `"${name}"`).join(', ')
  const about = String(properties[argument]?.description)
  properties[argument] = {
    ...properties[argument],
    description: `${about}. For render type ${types}`,
  }
}

function aboutType({ name, description }: RenderType): string {
  return description ? `${name}: ${description}` : name
}

function enumOf(names: string[]): JsonSchema {
  return { type: 'string', enum: names }
}
