/** The images of a rendering, on the ComfyUI server that gets the job. */
import type { ComfyClient } from 'ftl-comfyui/client'
import type { SourceImage } from 'ftl-comfyui/image'
import type { Workflow } from 'ftl-comfyui/workflow'
import type { Target, Targets } from './targets.ts'

export interface Pictures {
  image?: SourceImage
  /** Without a node for it, the image gets its transparency. */
  mask?: SourceImage
}

/** Uploads the pictures and sets their names in the inputs of `image` and `mask`. */
export async function withPictures(
  workflow: Workflow,
  { image, mask }: Pictures,
  targets: Targets['fields'],
  client: Pick<ComfyClient, 'uploadImage' | 'uploadMask'>,
): Promise<Workflow> {
  let ready = workflow
  if (image) {
    let name = await client.uploadImage(image.bytes)
    if (mask && !targets.mask) name = await client.uploadMask(mask.bytes, name)
    ready = withName(ready, targets.image, name)
  }
  if (!mask || !targets.mask) return ready
  return withName(ready, targets.mask, await client.uploadImage(mask.bytes))
}

function withName(workflow: Workflow, targets: readonly Target[] = [], name: string): Workflow {
  const result = { ...workflow }
  for (const { node: id, input } of targets) {
    const node = result[id]
    if (node) result[id] = { ...node, inputs: { ...node.inputs, [input]: name } }
  }
  return result
}
