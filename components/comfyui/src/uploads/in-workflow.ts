/** `/uploads/{id}` as the value of an input in a workflow that a caller sends. */
import { isStoredUpload } from 'ftl-comfyui/client'
import { NO_UPLOAD, uploadIdIn } from 'ftl-comfyui/image'
import type { Workflow } from 'ftl-comfyui/workflow'
import { InvalidArguments, type ToolContext } from 'ftl-sdk'
import { readUpload } from './record.ts'

/** Uploads in one workflow: each is a read of the store. */
const MOST_UPLOADS = 100

/**
 * The workflow with the names of the files on this server.
 *
 * @returns a problem for each upload that another server has.
 * @throws {InvalidArguments} for an upload that the caller does not have, and for the name of a file of `POST /uploads`: only
 *   its sender may use it, by the id.
 */
export async function withUploads(
  workflow: Workflow,
  server: string,
  context: ToolContext,
): Promise<{ workflow: Workflow; problems: string[] }> {
  const problems: string[] = []
  let count = 0
  const valueOf = async (value: unknown, input: string): Promise<unknown> => {
    if (typeof value !== 'string') return value
    const id = uploadIdIn(value)
    if (id === undefined) {
      if (isStoredUpload(value)) {
        throw new InvalidArguments(
          `workflow: ${input} must be the address of an upload (/uploads/…), not its file`,
        )
      }
      return value
    }
    if (++count > MOST_UPLOADS) {
      throw new InvalidArguments(`workflow: it has more than ${MOST_UPLOADS} uploads`)
    }
    const upload = await readUpload(id, context)
    if (!upload) throw new InvalidArguments(`workflow: ${input} ${NO_UPLOAD}`)
    if (upload.server === server) return upload.file
    problems.push(`workflow: ${input} is an upload that another ComfyUI server has`)
    return value
  }
  const nodes: [string, Workflow[string]][] = []
  for (const [id, node] of Object.entries(workflow)) {
    const inputs: [string, unknown][] = []
    for (const [name, value] of Object.entries(node.inputs)) {
      inputs.push([name, await valueOf(value, `${name} of node ${id}`)])
    }
    nodes.push([id, { ...node, inputs: Object.fromEntries(inputs) }])
  }
  return { workflow: Object.fromEntries(nodes), problems }
}
