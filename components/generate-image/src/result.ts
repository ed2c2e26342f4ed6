/** The end of a job: what ComfyUI made becomes the tool's result. */
import { type ComfyJob, extensionOf, mediaTypeOf, type OutputFile } from 'ftl-comfyui/client'
import { type Content, OUTPUTS_PATH, outputName, type ToolResult } from 'ftl-contract'
import type { ImageOutput, ImageState } from './state.ts'

/** An image tool gives what is seen; a sound beside it is not its result. */
const SHOWN = /^(?:image|video)\//

/** The files that are the result: those of the output nodes, in their order; else kept ones before temporary ones. */
export function resultFiles(
  { files }: Pick<ComfyJob, 'files'>,
  { outputNodes }: Pick<ImageState, 'outputNodes'>,
): OutputFile[] {
  const usable = files.filter(({ filename }) => SHOWN.test(mediaTypeOf(extensionOf(filename))))
  const own = outputNodes.flatMap((node) => usable.filter(({ nodeId }) => nodeId === node))
  if (own.length > 0) return own
  const kept = usable.filter(({ type }) => type === 'output')
  return kept.length > 0 ? kept : usable
}

/** The result; an image comes first, because clients of the streaming guide read only that. */
export function toResult(
  jobId: string,
  { output }: Pick<ImageState, 'output'>,
  files: OutputFile[],
): ToolResult {
  const names = files.map(({ filename }, index) => outputName(jobId, index, extensionOf(filename)))
  const images = names.map((name) => `${OUTPUTS_PATH}${name}`)
  const links = names.map((name, index): Content => {
    const mimeType = mediaTypeOf(extensionOf(name))
    return { type: 'resource_link', uri: images[index] ?? '', name, mimeType }
  })
  const { width, height, render_type } = output
  const made = files.length === 1 ? 'an image' : `${files.length} images`
  const text = `Made ${made} of ${width} x ${height} pixels${seedText(output)} (${render_type}).`
  return { content: [...links, { type: 'text', text }], structuredContent: { ...output, images } }
}

function seedText(output: ImageOutput): string {
  if (!('seed' in output)) return ''
  const { seed, seeds } = output
  return seeds ? ` with the seeds ${seeds.join(', ')}` : ` with seed ${seed}`
}
