/** The tools that make images, and the viewer that shows what they made. */
import { createTool, createTools, type ToolContext, type ToolSet } from 'ftl-sdk'
import { OUTPUTS_PATH } from 'ftl-contract'
import { describeTools } from './describe.ts'
import { serveOutput } from './output.ts'
import { prepareRendering, prepareUpscaling } from './prepare.ts'
import { cancelJob, pollJob } from './refresh.ts'
import { inputSchema, outputSchema, upscaleInputSchema, upscaleOutputSchema } from './schema.ts'
import { prepareJob, startJob } from './start.ts'
import { pictureResource, VIEWER_META, viewerResource } from './viewer/resources.ts'

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
}

/** What all tools here have in common: the work is ComfyUI's. */
const job = {
  start: startJob,
  poll: pollJob,
  cancel: cancelJob,
  files: serveOutput,
  message: 'Sending the workflow to ComfyUI',
  upstream: 'the ComfyUI server',
  errorPrefix: 'Service error: ',
}

const generateImage = createTool({
  metadata: {
    name: 'generate_image',
    title: 'Generate image',
    description:
      'Makes an image from a description. Takes from some seconds to some minutes; the result has the address of the image and the seed that was used.',
    version: '1.0.0',
    inputSchema,
    outputSchema,
    annotations,
    _meta: VIEWER_META,
  },
  job: {
    ...job,
    prepare: (input, context) =>
      prepareJob((config) => prepareRendering(input, config), context, openOutput(context)),
  },
})

const upscaleImage = createTool({
  metadata: {
    name: 'upscale_image',
    title: 'Upscale image',
    description:
      'Makes an image larger. Takes an image made here, a data URL or an https address; the result has the address of the larger one.',
    version: '1.0.0',
    inputSchema: upscaleInputSchema,
    outputSchema: upscaleOutputSchema,
    annotations,
    _meta: VIEWER_META,
  },
  job: {
    ...job,
    prepare: (input, context) =>
      prepareJob((config) => prepareUpscaling(input, config), context, openOutput(context)),
  },
})

/** @param viewer the page that shows what was made. */
export function imageTools(viewer: string): ToolSet {
  return createTools([generateImage, upscaleImage], {
    describe: ({ platform }) =>
      describeTools(platform, [generateImage.description, upscaleImage.description]),
    resources: [viewerResource(viewer), pictureResource(openFile)],
  })
}

/** The files of a job are served the same, whatever page there is. */
const files = createTools([generateImage, upscaleImage])

/** As if the caller had asked for the file, so that it gets only what it may see. */
async function openFile(name: string, context: ToolContext): Promise<Response> {
  const request = new Request(`http://${context.component}${OUTPUTS_PATH}${name}`)
  return files.output?.(name, context, request) ?? new Response(null, { status: 404 })
}

function openOutput(context: ToolContext): (name: string) => Promise<Response> {
  return (name) => openFile(name, context)
}
