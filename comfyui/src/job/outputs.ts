/** Files of a prompt as the outputs of a job. */
import { type Content, OUTPUTS_PATH, outputName } from 'ftl-contract'
import type { OutputFile } from '../client/job.ts'
import { extensionOf, mediaTypeOf } from '../client/media-types.ts'

export interface NamedOutput {
  /** Path on the gateway: `/outputs/{name}`. */
  url: string
  name: string
  mimeType: string
}

/** Names the files of a job: `{id}.png`, `{id}-2.png` and so on. */
export function nameOutputs(jobId: string, files: readonly OutputFile[]): NamedOutput[] {
  return files.map(({ filename }, index) => {
    const extension = extensionOf(filename)
    const name = outputName(jobId, index, extension)
    return { url: `${OUTPUTS_PATH}${name}`, name, mimeType: mediaTypeOf(extension) }
  })
}

export function toLink({ url, name, mimeType }: NamedOutput): Content {
  return { type: 'resource_link', uri: url, name, mimeType }
}

/** The files that ComfyUI keeps. Without any, the temporary ones, which its next start deletes. */
export function preferKept(files: OutputFile[]): OutputFile[] {
  const kept = files.filter(({ type }) => type === 'output')
  return kept.length > 0 ? kept : files
}
