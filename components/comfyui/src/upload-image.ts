/** `upload_image`: an image that several calls can use, by its name on the server. */
import { MAX_IMAGE_ARGUMENT, openAnyOutput, readSourceImage } from 'ftl-comfyui/image'
import { UPLOADS_KEY } from 'ftl-contract'
import { createTool } from 'ftl-sdk'
import * as z from 'zod'
import { openUpload } from './uploads/uploads.ts'
import { answeredOnly, askEach, requireServers, shownLabel, withWorkflowServer } from './servers.ts'

const outputSchema = z.object({
  name: z.string().describe('Value for an image argument, also of generate_image'),
  width: z.int(),
  height: z.int(),
  format: z.enum(['png', 'jpeg', 'webp', 'gif']),
  missing: z
    .array(z.int())
    .optional()
    .describe('Places of the servers that did not take the image'),
})

export const uploadImage = createTool({
  metadata: {
    name: 'upload_image',
    title: 'Upload image',
    description:
      'Uploads an image to ComfyUI and returns its name there, for image arguments of generate_image, upscale_image and workflow tools. The same image always has the same name.',
    version: '1.0.0',
    inputSchema: z.object({
      image: z
        .string()
        .min(1)
        .max(MAX_IMAGE_ARGUMENT)
        .describe(
          'A data URL, the address of an image made here (/outputs/…) or sent by POST /uploads (/uploads/…), or an https address of an allowed host. PNG, JPEG, WebP or GIF, at most 10 MB',
        ),
    }),
    outputSchema,
    // Who may use this tool may also send files by POST /uploads.
    _meta: { [UPLOADS_KEY]: true },
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: true,
    },
  },
  handler: async ({ image: source }, context) => {
    const output = openAnyOutput(context)
    const sent = (id: string) => openUpload(id, context)
    const { bytes, ...about } = await readSourceImage(source, context, { output, sent })
    // To all servers: any of them may run the workflow, and the name follows from the bytes.
    const servers = withWorkflowServer(await requireServers(context), context)
    const answers = await askEach(servers, context, (client) => client.uploadImage(bytes))
    const [first] = answeredOnly(answers)
    const name = first?.value ?? ''
    const silent = answers.flatMap((answer) => ('error' in answer ? [answer] : []))
    const lines = [
      `Uploaded ${about.width} x ${about.height} pixels as ${name}`,
      ...silent.map((answer) => `${shownLabel(answer)} does not have it: ${answer.error.message}`),
    ]
    const missing = silent.map(({ server }) => server)
    return {
      content: [{ type: 'text', text: lines.join('\n') }],
      structuredContent: { name, ...about, ...(missing.length > 0 && { missing }) },
    }
  },
})
