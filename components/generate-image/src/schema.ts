/**
 * What `generate_image` takes and gives.
 *
 * @module
 */
import * as z from 'zod'

/** Pixels of each shape, near one megapixel: what SDXL was trained on. */
export const SIZES = {
  '1:1': { width: 1024, height: 1024 },
  '16:9': { width: 1344, height: 768 },
  '9:16': { width: 768, height: 1344 },
  '4:3': { width: 1152, height: 896 },
  '3:4': { width: 896, height: 1152 },
} as const

/** Long enough for any prompt; ComfyUI itself sets no limit. */
const MAX_PROMPT = 10_000
const MAX_STYLES = 8

/** The names of styles and render types come from files, so only the handler can check them. */
export const inputSchema = z.object({
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
  render_type: z.string().optional().describe('How the image is made'),
  seed: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The same seed and prompt give the same image; chosen at random when absent'),
})

export type GenerateImageInput = z.infer<typeof inputSchema>

export const outputSchema = z.object({
  seed: z.int().min(0).describe('The seed that was used'),
  width: z.int().min(1).describe('In pixels'),
  height: z.int().min(1).describe('In pixels'),
  render_type: z.string(),
  prompt: z.string().describe('The prompt as it was rendered, with its styles'),
  images: z.array(z.string()).describe('Addresses of the images'),
})

export type GenerateImageOutput = z.infer<typeof outputSchema>
