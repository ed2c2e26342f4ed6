/** `upload_image`: an image that several calls can use, by its name on the server. */
import { MAX_IMAGE_ARGUMENT, openAnyOutput, readSourceImage } from 'ftl-comfyui/image'
import { createTool } from 'ftl-sdk'
import * as z from 'zod'
import { connect, reporting, serverUrls } from './servers.ts'

const outputSchema = z.object({
  name: z.string().describe('Value for an image argument of a workflow tool'),
  width: z.int(),
  height: z.int(),
  format: z.enum(['png', 'jpeg', 'webp', 'gif']),
})

export const uploadImage = createTool({
  metadata: {
    name: 'upload_image',
    title: 'Upload image',
    description:
      'Uploads an image to ComfyUI and returns its name there, for image arguments of workflow tools. The same image always has the same name.',
    version: '1.0.0',
    inputSchema: z.object({
      image: z
        .string()
        .min(1)
        .max(MAX_IMAGE_ARGUMENT)
        .describe(
          'A data URL, the address of an image made here (/outputs/…), or an https address of an allowed host. PNG, JPEG, WebP or GIF, at most 10 MB',
        ),
    }),
    outputSchema,
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  },
  handler: async ({ image: source }, context) => {
    const missing = async () => new Response(null, { status: 404 })
    const { bytes, ...about } = await readSourceImage(
      source,
      context,
      openAnyOutput(missing, context),
    )
    let name = ''
    // To all servers: any of them may run the workflow, and the name follows from the bytes.
    for (const url of serverUrls(context)) {
      name = await reporting(() => connect(url, context).uploadImage(bytes))
    }
    const text = `Uploaded ${about.width} x ${about.height} pixels as ${name}`
    return { content: [{ type: 'text', text }], structuredContent: { name, ...about } }
  },
})
