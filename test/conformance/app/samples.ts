import type { ImageContent, ToolResult } from 'ftl-contract'

/** A PNG of one pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='

/** A WAV of one silent sample: 8 kHz, 16 bit, mono. */
export const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=='

export const IMAGE: ImageContent = { type: 'image', data: PNG, mimeType: 'image/png' }

export function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }] }
}
