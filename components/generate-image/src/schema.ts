/** What `generate_image` and `upscale_image` take and give. */
import { MAX_IMAGE_ARGUMENT } from 'ftl-comfyui/image'
import { INLINE_IMAGES } from 'ftl-comfyui/job'
import * as z from 'zod'

/** Pixels of each shape, near one megapixel: what SDXL was trained on. */
export const SIZES = {
  '1:1': { width: 1024, height: 1024 },
  '16:9': { width: 1344, height: 768 },
  '9:16': { width: 768, height: 1344 },
  '4:3': { width: 1152, height: 896 },
  '3:4': { width: 896, height: 1152 },
} as const

/** Pixels of one side; two such sides are four megapixels. */
const MIN_SIDE = 64
const MAX_SIDE = 2048
/** Long enough for any prompt; ComfyUI itself sets no limit. */
const MAX_PROMPT = 10_000
const MAX_STYLES = 8
/** Each one costs a whole rendering. */
const MAX_VARIATIONS = 4
const MAX_LORAS = 4
/** More in either direction gives noise. */
const MAX_STRENGTH = 10

const picture = z.string().min(1).max(MAX_IMAGE_ARGUMENT)
const image = picture.describe(
  'An image to start from: a data URL, the address of an image made here (/outputs/…) or sent by POST /uploads (/uploads/…), a name that upload_image returned, or an https address of an allowed host. PNG, JPEG, WebP or GIF, at most 10 MB',
)

const renderType = z.string().optional().describe('How the image is made')

const inlineImages = z.boolean().optional().describe(INLINE_IMAGES)

/** The lists of the servers become enums when the tools are listed. */
const choice = z.string().min(1).max(255)

const side = z
  .int()
  .min(MIN_SIDE)
  .max(MAX_SIDE)
  .optional()
  .describe(
    'In pixels, instead of aspect_ratio; rounded to what the model takes. Of one alone, aspect_ratio decides the other',
  )

/** The names of styles and render types come from files, so only the handler can check them. */
export const inputSchema = z.looseObject({
  prompt: z.string().min(1).max(MAX_PROMPT).describe('What the image shows'),
  negative_prompt: z.string().max(MAX_PROMPT).optional().describe('What the image must not show'),
  style_names: z
    .array(z.string())
    .max(MAX_STYLES)
    .optional()
    .describe('Styles to apply, one after the other'),
  aspect_ratio: z
    .enum(['1:1', '16:9', '9:16', '4:3', '3:4'])
    .default('1:1')
    .describe('Shape of the image, width to height'),
  width: side,
  height: side,
  render_type: renderType,
  seed: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The same seed and prompt give the same image; chosen at random when absent'),
  variations: z
    .int()
    .min(1)
    .max(MAX_VARIATIONS)
    .default(1)
    .describe('How many images to make, each with a seed of its own'),
  image: image.optional(),
  mask: picture
    .optional()
    .describe(
      'An image that says which parts of "image" to change: its transparent parts, if the render type has no other rule; a PNG or WebP image of the same size, given as "image" is (a data URL, /outputs/…, /uploads/…)',
    ),
  model: choice.optional().describe('Model file; by default that of the render type'),
  loras: z
    .array(
      z.object({
        name: choice.describe('LoRA file'),
        strength: z.number().min(-MAX_STRENGTH).max(MAX_STRENGTH).default(1),
      }),
    )
    .max(MAX_LORAS)
    .optional()
    .describe('LoRAs to apply, with their strengths'),
  sampler: choice.optional().describe('Sampler; by default that of the render type'),
  scheduler: choice.optional().describe('Scheduler; by default that of the render type'),
  inline_images: inlineImages,
})

/** Other arguments pass, so that the result can name them. */
export type GenerateImageInput = z.infer<typeof inputSchema>

const size = z.int().min(1).describe('In pixels')
const warnings = z.array(z.string()).optional().describe('Arguments that were changed or ignored')
const images = z.array(z.string()).describe('Addresses of the images')

export const outputSchema = z.object({
  seed: z.int().min(0).describe('The seed that was used'),
  seeds: z.array(z.int().min(0)).optional().describe('The seed of each image'),
  width: size,
  height: size,
  render_type: z.string(),
  model: z.string().optional().describe('The model file that was used'),
  prompt: z.string().describe('The prompt as it was rendered, with its styles'),
  images,
  warnings,
})

export type GenerateImageOutput = z.infer<typeof outputSchema>

export const upscaleInputSchema = z.looseObject({
  image,
  scale: z.literal([2, 4]).default(2).describe('How many times wider and higher the image becomes'),
  render_type: renderType,
  inline_images: inlineImages,
})

export type UpscaleImageInput = z.infer<typeof upscaleInputSchema>

export const upscaleOutputSchema = z.object({
  width: size,
  height: size,
  scale: z.number(),
  render_type: z.string(),
  images,
  warnings,
})

export type UpscaleImageOutput = z.infer<typeof upscaleOutputSchema>
