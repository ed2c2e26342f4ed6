/** The tools that make images, and the viewer that shows what they made. */
import { openAnyOutput } from 'ftl-comfyui/image'
import { createTool, createTools, type ToolContext, type ToolSet } from 'ftl-sdk'
import { type BuiltWorkflow, buildWorkflow } from './build-workflow.ts'
import { readConfig } from './config.ts'
import { describeTools } from './describe.ts'
import { imageJob, toRefusal } from './job.ts'
import { readProblems } from './readiness.ts'
import { prepareRendering, prepareUpscaling, type Rendering } from './rendering.ts'
import { openUpload } from './uploads.ts'
import { inputSchema, outputSchema, upscaleInputSchema, upscaleOutputSchema } from './schema.ts'
import { pictureResource, VIEWER_META, viewerResource } from './viewer/resources.ts'

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
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
    ...imageJob,
    prepare: (input, context) =>
      readConfig(context.platform)
        .then((config) => build(prepareRendering(input, config), context))
        .catch(toRefusal),
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
    ...imageJob,
    prepare: (input, context) =>
      readConfig(context.platform)
        .then((config) => build(prepareUpscaling(input, config), context))
        .catch(toRefusal),
  },
})

/** @param viewer the page that shows what was made. */
export function imageTools(viewer: string): ToolSet {
  return createTools([generateImage, upscaleImage], {
    describe: ({ platform }) =>
      describeTools(platform, [generateImage.description, upscaleImage.description]),
    // Without its store the component still lists its tools.
    problems: ({ platform }) => readProblems(platform).catch(() => []),
    resources: [viewerResource(viewer), pictureResource((name, { file }) => file(name))],
  })
}

function build(rendering: Rendering, context: ToolContext): Promise<BuiltWorkflow> {
  return buildWorkflow(rendering, context, {
    output: openAnyOutput(context),
    upload: (name) => openUpload(name, context),
  })
}
