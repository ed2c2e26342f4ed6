/**
 * What is kept of a job to find its images again.
 *
 * @module
 */
import type { OutputFile } from 'ftl-comfyui/client'
import type { GenerateImageOutput, UpscaleImageOutput } from './schema.ts'

/** Becomes the result's `structuredContent`, with the images added. */
export type ImageOutput = Omit<GenerateImageOutput, 'images'> | Omit<UpscaleImageOutput, 'images'>

export interface ImageState {
  /** Base URL of the ComfyUI server that has the job, or is being given it. */
  server: string
  /** The server's id for it: ours, where the server lets its callers choose. */
  promptId: string
  /** Nobody heard whether the server took it; gone as soon as it was seen there. */
  uncertain?: boolean
  output: ImageOutput
  /** Nodes whose files are the result, in its order; empty: all. */
  outputNodes: string[]
  /** Files the job made, in the order of the result. */
  files?: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>[]
}
