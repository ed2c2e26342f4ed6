/**
 * The end of a job: what ComfyUI made becomes the tool's result.
 *
 * @module
 */
import type { ComfyJob, OutputFile } from 'ftl-comfyui/client'
import { type Content, OUTPUTS_PATH, outputName, type ToolResult } from 'ftl-sdk/contract'
import type { ImageJob, ImageUpstream } from './job-store.ts'
import type { GenerateImageOutput } from './schema.ts'

/** By extension, because ComfyUI lists videos under `images` too. */
export const MEDIA_TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

/** The files that are the result: those of the workflow's output nodes, kept ones before temporary ones. */
export function resultFiles({ files }: ComfyJob, { outputNodes }: ImageUpstream): OutputFile[] {
  const usable = files.filter(({ filename }) => MEDIA_TYPES[extensionOf(filename)] !== undefined)
  const own = usable.filter(({ nodeId }) => outputNodes.includes(nodeId))
  if (own.length > 0) return own
  const kept = usable.filter(({ type }) => type === 'output')
  return kept.length > 0 ? kept : usable
}

/** The result; an image comes first, because clients of the streaming guide read only that. */
export function toResult({ id, upstream }: ImageJob, files: OutputFile[]): ToolResult {
  const { seed, width, height, render_type } = upstream.output
  const names = files.map(({ filename }, index) => outputName(id, index, extensionOf(filename)))
  const images = names.map((name) => `${OUTPUTS_PATH}${name}`)
  const links = names.map((name, index): Content => {
    const mimeType = MEDIA_TYPES[extensionOf(name)]
    return { type: 'resource_link', uri: images[index] ?? '', name, mimeType }
  })
  const made = files.length === 1 ? 'an image' : `${files.length} images`
  const text = `Made ${made} of ${width} x ${height} pixels with seed ${seed} (${render_type}).`
  const structuredContent: GenerateImageOutput = { ...upstream.output, images }
  return { content: [...links, { type: 'text', text }], structuredContent }
}

export function extensionOf(filename: string): string {
  return filename.split('.').at(-1)?.toLowerCase() ?? ''
}
