/** The end of a job: what ComfyUI made becomes the tool's result. */
import {
  type ComfyJob,
  extensionOf,
  mediaTypeOf,
  type OutputFile,
  shownName,
} from 'ftl-comfyui/client'
import { nameOutputs, preferKept, toLink } from 'ftl-comfyui/job'
import type { ToolResult } from 'ftl-contract'
import type { ImageOutput, ImageState } from './job.ts'

/** An image tool gives what is seen; a sound beside it is not its result. */
const SHOWN = /^(?:image|video)\//

/** The files that are the result: those of the output nodes, in their order; else kept ones before temporary ones. */
export function resultFiles(
  { files }: Pick<ComfyJob, 'files'>,
  { outputNodes }: Pick<ImageState, 'outputNodes'>,
): OutputFile[] {
  const usable = files.filter(({ filename }) => SHOWN.test(mediaTypeOf(extensionOf(filename))))
  const own = outputNodes.flatMap((node) => usable.filter(({ nodeId }) => nodeId === node))
  return own.length > 0 ? own : preferKept(usable)
}

/** The result. The text comes first and has the addresses, because several agent frameworks read only that. */
export function toResult(
  jobId: string,
  { output, missingModel }: Pick<ImageState, 'output' | 'missingModel'>,
  files: OutputFile[],
): ToolResult | undefined {
  if (files.length === 0) return undefined
  const named = nameOutputs(jobId, files)
  const images = named.map(({ url }) => url)
  const { width, height, render_type, warnings = [] } = output
  const made = files.length === 1 ? 'an image' : `${files.length} images`
  const text = `Made ${made} of ${width} x ${height} pixels${seedText(output)} (${render_type}).${modelText(output, missingModel)}`
  const said = [text, ...warnings].join(' ')
  return {
    content: [{ type: 'text', text: [said, ...images].join('\n') }, ...named.map(toLink)],
    structuredContent: { ...output, images },
  }
}

function modelText(output: ImageOutput, missingModel: string | undefined): string {
  if (missingModel === undefined || !('model' in output)) return ''
  const { model = '' } = output
  return ` The model is "${shownName(model)}": the server does not have "${shownName(missingModel)}".`
}

function seedText(output: ImageOutput): string {
  if (!('seed' in output)) return ''
  const { seed, seeds } = output
  return seeds ? ` with the seeds ${seeds.join(', ')}` : ` with seed ${seed}`
}
