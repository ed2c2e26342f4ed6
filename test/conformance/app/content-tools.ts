import type { ToolResult } from 'ftl-contract'
import { IMAGE, text, WAV } from './samples.ts'

/** Tools that answer at once, by name: every kind of content, and an error. */
export const CONTENT_TOOLS: Record<string, ToolResult> = {
  // The first of the list: one scenario calls whichever tool is first with whatever it likes.
  test_simple_text: text('This is a simple text response for testing.'),
  test_image_content: { content: [IMAGE] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  },
  test_multiple_content_types: {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  },
  test_custom_content: {
    content: [
      { type: 'text', text: 'This is a chart.' },
      { type: 'custom/chart', data: [1, 2], metadata: { chartType: 'bar' } },
    ],
  },
  test_error_handling: {
    ...text('This tool intentionally returns an error for testing'),
    isError: true,
  },
}
