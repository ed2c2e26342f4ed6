/** The tools of the component; those that are turned off are not listed. */
import { createTools } from 'ftl-sdk'
import { listModels } from './list-models.ts'
import { describeNode, searchNodes } from './nodes.ts'
import { runWorkflow } from './run-workflow.ts'
import { freeMemory, queueStatus, serverStats } from './server-state.ts'
import { formatProblem } from 'ftl-comfyui/servers'
import { configuredServers } from './servers.ts'
import { isOffered } from './switches.ts'
import { uploadImage } from './upload-image.ts'
import { answerUploads } from './uploads/uploads.ts'

const all = [
  ...[uploadImage, listModels, searchNodes, describeNode],
  ...[queueStatus, serverStats, freeMemory, runWorkflow],
]

export const tools = createTools(all, {
  uploads: answerUploads,
  async describe(context) {
    const { list, problems } = await configuredServers(context)
    // Addresses and variables are for the operator.
    for (const problem of problems) console.warn(formatProblem(problem))
    if (list.length === 0) return []
    return all.map(({ description }) => description).filter(({ name }) => isOffered(name, context))
  },
})
