/**
 * The component `generate-image`: makes images with ComfyUI.
 *
 * Mounts: render types and styles at `/config`, workflows at `/workflows`. Variables: `comfyui_url`, and
 * `comfyui_auth` where the server wants a key.
 *
 * @module
 */
import { createTool, createTools } from 'ftl-sdk'
import { readConfig } from './config.ts'
import { describeWith } from './describe.ts'
import { serveOutput } from './output.ts'
import { cancelJob, getJob } from './refresh.ts'
import { inputSchema, outputSchema } from './schema.ts'
import { startJob } from './start.ts'

const generateImage = createTool({
  metadata: {
    name: 'generate_image',
    title: 'Generate image',
    description:
      'Makes an image from a description. Takes from some seconds to some minutes; the result has the address of the image and the seed that was used.',
    version: '1.0.0',
    inputSchema,
    outputSchema,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
  handler: startJob,
})

export const tools = createTools([generateImage], {
  jobs: { get: getJob, cancel: cancelJob },
  output: serveOutput,
  describe: async ({ platform }) => [
    describeWith(generateImage.description, await readConfig(platform)),
  ],
})
