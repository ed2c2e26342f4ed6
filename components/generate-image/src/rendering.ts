/** From arguments and configuration to what will be rendered. */
import { InvalidArguments } from 'ftl-sdk'
import type { Config, RenderType, Style } from './config.ts'
import { ignoredArguments } from './ignored.ts'
import {
  type GenerateImageInput,
  inputSchema,
  SIZES,
  upscaleInputSchema,
  type UpscaleImageInput,
} from './schema.ts'
import { askedSize, type Size } from './size.ts'
import type { ModelChoice } from './workflow/model-inputs.ts'

export interface Rendering {
  renderType: RenderType
  prompt: string
  negativePrompt: string
  /** The first of `seeds`. */
  seed: number
  /** One for each image. */
  seeds: number[]
  /** In pixels; of an upscaled image only known when the image has been read. */
  width: number
  height: number
  /** The size that the caller named, in fractions of pixels where a shape decided a side. */
  asked?: Size
  /** What the caller should know of the arguments: a sentence each. */
  warnings: string[]
  /** The image argument as it came. */
  image?: string
  /** The mask argument as it came. */
  mask?: string
  /** How many times larger the image becomes. */
  scale?: number
  models: ModelChoice
  /** Whether the result contains the pictures; absent: as the operator chose. */
  inline?: boolean
}

/** Seeds chosen here are short enough to be read out; every sampler takes them. */
const RANDOM_SEEDS = 2 ** 32

/** @throws {InvalidArguments} naming the argument and what it may be. */
export function prepareRendering(input: GenerateImageInput, config: Config): Rendering {
  const chosen = (input.style_names ?? []).map((name, index) =>
    find(config.styles, name, `style_names.${index}`),
  )
  const asked = askedSize(input.aspect_ratio, input)
  const seed = input.seed ?? Math.floor(Math.random() * RANDOM_SEEDS)
  return {
    renderType: chooseRenderType(config, 'generate_image', input.render_type),
    prompt: chosen.reduce(applyStyle, input.prompt),
    negativePrompt: [input.negative_prompt, ...chosen.map(({ negative }) => negative)]
      .filter(Boolean)
      .join(', '),
    seed,
    seeds: Array.from({ length: input.variations }, (_, index) => seedAfter(seed, index)),
    ...SIZES[input.aspect_ratio],
    ...(asked && { asked }),
    warnings: ignoredArguments(input, inputSchema.shape),
    ...(input.image !== undefined && { image: input.image }),
    ...(input.mask !== undefined && { mask: input.mask }),
    ...(input.inline_images !== undefined && { inline: input.inline_images }),
    models: {
      ...(input.model !== undefined && { model: input.model }),
      ...(input.loras && { loras: input.loras }),
      ...(input.sampler !== undefined && { sampler: input.sampler }),
      ...(input.scheduler !== undefined && { scheduler: input.scheduler }),
    },
  }
}

/** @throws {InvalidArguments} naming the argument and what it may be. */
export function prepareUpscaling(input: UpscaleImageInput, config: Config): Rendering {
  return {
    renderType: chooseRenderType(config, 'upscale_image', input.render_type),
    prompt: '',
    negativePrompt: '',
    seed: 0,
    seeds: [0],
    width: 0,
    height: 0,
    warnings: ignoredArguments(input, upscaleInputSchema.shape),
    image: input.image,
    scale: input.scale,
    ...(input.inline_images !== undefined && { inline: input.inline_images }),
    models: {},
  }
}

/** Beyond the largest seed it goes on from zero; the sum itself could not be held. */
function seedAfter(seed: number, steps: number): number {
  const room = Number.MAX_SAFE_INTEGER - seed
  return steps <= room ? seed + steps : steps - room - 1
}

function chooseRenderType(
  { renderTypes }: Config,
  tool: RenderType['tool'],
  name: string | undefined,
): RenderType {
  const offered = renderTypes.filter((renderType) => renderType.tool === tool)
  const [standard] = offered
  return name === undefined && standard ? standard : find(offered, name ?? '', 'render_type')
}

function applyStyle(prompt: string, style: Style): string {
  // A function, because in a replacement text "$&" would have a meaning.
  return style.prompt.replace('{prompt}', () => prompt)
}

function find<Item extends { name: string }>(items: Item[], name: string, argument: string): Item {
  const found = items.find((item) => item.name === name)
  if (found) return found
  const known = items.map((item) => `"${item.name}"`).join(', ')
  throw new InvalidArguments(
    `${argument}: there is no "${name}"; ${known ? `choose from ${known}` : 'none is configured'}`,
  )
}
