/** The tools of the component; those that are turned off are not listed. */
import { createTools } from 'ftl-sdk'
import { listModels } from './list-models.ts'
import { describeNode, searchNodes } from './nodes.ts'
import { runWorkflow } from './run-workflow.ts'
import { freeMemory, queueStatus, serverStats } from './server-state.ts'
import { serverUrls } from './servers.ts'
import { isOffered } from './switches.ts'
import { uploadImage } from './upload-image.ts'

const all = [
  ...[uploadImage, listModels, searchNodes, describeNode],
  ...[queueStatus, serverStats, freeMemory, runWorkflow],
]

export const tools = createTools(all, {
  describe: async (context) =>
    serverUrls(context).length === 0
      ? []
      : all.map(({ description }) => description).filter(({ name }) => isOffered(name, context)),
})
