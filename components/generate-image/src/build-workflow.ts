/** Builds the workflow to submit for a rendering. */
import { checkMask, type FileSources, readSourceImage, type SourceImage } from 'ftl-comfyui/image'
import type { Workflow } from 'ftl-comfyui/workflow'
import { InvalidArguments, type ToolContext } from 'ftl-sdk'
import { readWorkflow } from './config.ts'
import type { Field } from './config-schema.ts'
import { chooseModels } from './model-choice.ts'
import type { Rendering } from './rendering.ts'
import { nearestSize } from './size.ts'
import { modelOf } from './submit-with-model.ts'
import type { SubmitOptions } from './submit-to-one.ts'
import { type Targets, usesTransparency } from './workflow/targets.ts'
import { withSeeds } from './workflow/variations.ts'

/** ComfyUI uses 12 bytes per pixel, so 1.6 GB per copy of the image, and holds several copies. */
const MAX_UPSCALED_PIXELS = 128 * 1024 * 1024

export interface BuiltWorkflow extends SubmitOptions {
  workflow: Workflow
  targets: Targets['fields']
  /** Nodes whose files are the result, in the order of the seeds; empty: all. */
  outputs: string[]
  /** The rendering with the size that follows from the source image. */
  rendering: Rendering
}

/**
 * Reads the workflow of the render type and the image, and sets the workflow's inputs. Nothing is sent to ComfyUI.
 *
 * @throws {InvalidArguments} when the render type does not accept the arguments, or the image is not valid.
 * @throws {ToolError} when the workflow cannot be used.
 */
export async function buildWorkflow(
  rendering: Rendering,
  context: ToolContext,
  sources: FileSources,
): Promise<BuiltWorkflow> {
  const { renderType, seeds } = rendering
  const { workflow, targets, outputs } = await readWorkflow(context.platform, renderType)
  checkArguments(rendering, targets)
  const read = async (argument: 'image' | 'mask') => {
    const source = rendering[argument]
    return source === undefined ? undefined : readSourceImage(source, context, sources, argument)
  }
  checkMaskArgument(rendering, targets, workflow)
  const image = await read('image')
  const mask = await read('mask')
  if (mask && !targets.mask) checkMask('mask', mask, image)
  const chosen = await chooseModels(workflow, rendering.models, renderType.name, context)
  const wanted = withAskedSize(rendering, targets, modelOf(chosen))
  const filled = fill(chosen, targets, valuesOf(wanted))
  const varied = targets.seed
    ? withSeeds(filled, targets.seed, seeds, outputs)
    : { workflow: filled, outputs }
  return {
    ...varied,
    targets,
    ...(image && { image }),
    ...(mask && { mask }),
    rendering: sized(wanted, image, targets),
  }
}

function checkArguments(
  { renderType: { name, tool }, image, seeds }: Rendering,
  targets: Targets['fields'],
): void {
  if (image === undefined && targets.image) {
    throw new InvalidArguments(`image: render type "${name}" needs one`)
  }
  if (image !== undefined && !targets.image) {
    throw new InvalidArguments(
      `image: render type "${name}" takes none; choose another render_type`,
    )
  }
  if (tool === 'generate_image' && seeds.length > 1 && !targets.seed) {
    throw new InvalidArguments(`variations: render type "${name}" makes one image only`)
  }
}

function checkMaskArgument(
  { renderType: { name }, image, mask }: Rendering,
  targets: Targets['fields'],
  workflow: Workflow,
): void {
  if (mask === undefined) {
    if (targets.mask) throw new InvalidArguments(`mask: render type "${name}" needs one`)
    return
  }
  if (!targets.mask && !usesTransparency(workflow, targets)) {
    throw new InvalidArguments(`mask: render type "${name}" takes none; choose another render_type`)
  }
  if (image === undefined && !targets.mask) {
    throw new InvalidArguments('mask: it needs "image" as well')
  }
}

function valuesOf(rendering: Rendering): Partial<Record<Field, string | number>> {
  const { renderType, prompt, negativePrompt, width, height, scale } = rendering
  const model = renderType.upscale_model
  const texts = { prompt, negative_prompt: negativePrompt }
  if (renderType.tool === 'generate_image') return { ...texts, width, height }
  return {
    // The model has its own factor, so scale by the rest; below 1 if the model enlarges too much.
    ...(scale !== undefined && { scale: scale / (model?.scale ?? 1) }),
    ...(model && { upscale_model: model.file }),
  }
}

/** Skips fields without a target: some models have no negative prompt, and some workflows have a fixed size. */
function fill(
  workflow: Workflow,
  targets: Targets['fields'],
  values: Partial<Record<Field, string | number>>,
): Workflow {
  const result = { ...workflow }
  for (const [field, value] of Object.entries(values)) {
    for (const { node: id, input } of targets[field as Field] ?? []) {
      const node = result[id]
      if (node) result[id] = { ...node, inputs: { ...node.inputs, [input]: value } }
    }
  }
  return result
}

function withAskedSize(
  rendering: Rendering,
  targets: Targets['fields'],
  model: string | undefined,
): Rendering {
  const { asked, renderType, warnings } = rendering
  if (!asked) return rendering
  const warn = (text: string) => ({ ...rendering, warnings: [...warnings, text] })
  if (!targets.width || !targets.height) {
    return warn(`"width" and "height" were ignored: render type "${renderType.name}" takes none.`)
  }
  const size = nearestSize(asked, model)
  const isExact = size.width === asked.width && size.height === asked.height
  const shown = `${Math.round(asked.width)} x ${Math.round(asked.height)}`
  const rounded = `The size ${shown} was rounded to what the model takes: ${size.width} x ${size.height}.`
  return { ...(isExact ? rendering : warn(rounded)), ...size }
}

/** Derives the size from the source image, unless the workflow has inputs for it. */
function sized(
  rendering: Rendering,
  image: SourceImage | undefined,
  targets: Targets['fields'],
): Rendering {
  if (!image) return rendering
  const { renderType, scale = 1 } = rendering
  const { width, height } = image
  if (renderType.tool === 'upscale_image') {
    const larger = { width: width * scale, height: height * scale }
    if (larger.width * larger.height > MAX_UPSCALED_PIXELS) {
      throw new InvalidArguments(
        `scale: the image would have ${larger.width} x ${larger.height} pixels, which is too large`,
      )
    }
    return { ...rendering, ...larger }
  }
  if (targets.width && targets.height) return rendering
  // A latent value represents 8 x 8 pixels; encoding cuts off the remainder.
  return { ...rendering, width: width - (width % 8), height: height - (height % 8) }
}
