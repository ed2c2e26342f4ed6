/**
 * From arguments and configuration to what will be rendered.
 *
 * @module
 */
import { InvalidArguments } from 'ftl-sdk'
import type { Config, RenderType, Style } from './config.ts'
import { type GenerateImageInput, SIZES } from './schema.ts'

export interface Rendering {
  renderType: RenderType
  prompt: string
  negativePrompt: string
  seed: number
  width: number
  height: number
}

/** Seeds chosen here are short enough to be read out; every sampler takes them. */
const RANDOM_SEEDS = 2 ** 32

/** @throws {InvalidArguments} naming the argument and what it may be. */
export function prepareRendering(input: GenerateImageInput, config: Config): Rendering {
  const chosen = (input.style_names ?? []).map((name, index) =>
    find(config.styles, name, `style_names.${index}`),
  )
  const [standard] = config.renderTypes
  const renderType =
    input.render_type === undefined && standard
      ? standard
      : find(config.renderTypes, input.render_type ?? '', 'render_type')
  return {
    renderType,
    prompt: chosen.reduce(applyStyle, input.prompt),
    negativePrompt: [input.negative_prompt, ...chosen.map(({ negative }) => negative)]
      .filter(Boolean)
      .join(', '),
    seed: input.seed ?? Math.floor(Math.random() * RANDOM_SEEDS),
    ...SIZES[input.aspect_ratio],
  }
}

function applyStyle(prompt: string, style: Style): string {
  // A function, because in a replacement text "$&" would have a meaning.
  return style.prompt.replace('{prompt}', () => prompt)
}

function find<Item extends { name: string }>(items: Item[], name: string, argument: string): Item {
  const found = items.find((item) => item.name === name)
  if (found) return found
  const known = items.map((item) => `"${item.name}"`).join(', ')
  throw new InvalidArguments(`${argument}: there is no "${name}"; choose from ${known}`)
}
