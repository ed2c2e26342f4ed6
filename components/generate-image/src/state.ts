/** State of a job, kept to find its images again. */
import type { OutputFile } from 'ftl-comfyui/client'
import type { GenerateImageOutput, UpscaleImageOutput } from './schema.ts'

/** Becomes the result's `structuredContent`, with the images added. */
export type ImageOutput = Omit<GenerateImageOutput, 'images'> | Omit<UpscaleImageOutput, 'images'>

export interface ImageState {
  /** Base URL of the ComfyUI server that has the job, or that the job is being sent to. */
  server: string
  /** The server's id of the job: the job's own id, if the server lets clients choose it. */
  promptId: string
  /** The answer to the submission was lost, so the server may not have the job; removed once the job is found there. */
  uncertain?: boolean
  output: ImageOutput
  /** Nodes whose files are the result, in its order; empty = all nodes. */
  outputNodes: string[]
  /** Files the job made, in the order of the result. */
  files?: Pick<OutputFile, 'filename' | 'subfolder' | 'type'>[]
}
