import type { ToolDescription } from 'ftl-contract'
import { text } from './call.ts'

const NUMBER = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const structured = (structuredContent: unknown) => () =>
  Response.json({
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  })

/** Tools whose description or answer is what is tested. */
export const RESULT_TOOLS: ToolDescription[] = [
  {
    // The name of a tool of the component before this one.
    name: 'test_simple_text',
    description: 'Another tool of the same name',
    inputSchema: { type: 'object' },
  },
  {
    name: 'described',
    title: 'A tool with everything',
    description: 'Tells all there is to tell',
    inputSchema: { type: 'object', additionalProperties: false },
    annotations: { title: 'Described', readOnlyHint: true, openWorldHint: false },
    icons: [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
    _meta: { 'com.example/colour': 'blue' },
  },
  {
    name: 'repeat',
    description: 'Says what it is told',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    },
  },
  {
    name: 'result_of_another_type',
    description: 'Answers with a resultType of its own',
    inputSchema: { type: 'object' },
  },
  { name: 'crashes', description: 'Throws', inputSchema: { type: 'object' } },
  { name: 'silent', description: 'Never answers', inputSchema: { type: 'object' } },
  {
    name: 'structured_good',
    description: 'Answers as its output schema says',
    inputSchema: { type: 'object' },
    outputSchema: NUMBER,
  },
  {
    name: 'structured_wrong',
    description: 'Answers against its output schema',
    inputSchema: { type: 'object' },
    outputSchema: NUMBER,
  },
  {
    name: 'structured_missing',
    description: 'Answers without the structure it promises',
    inputSchema: { type: 'object' },
    outputSchema: NUMBER,
  },
  {
    name: 'structured_list',
    description: 'Answers with an array',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'array', items: { type: 'number' } },
  },
]

/** What they answer; any other tool answers with its arguments. */
export const RESULTS: Record<string, (args: Record<string, unknown>) => Response> = {
  test_simple_text: () => text('The tool of the other component.'),
  repeat: (args) => text(String(args['text'])),
  result_of_another_type: () =>
    Response.json({ resultType: 'banana', content: [{ type: 'text', text: 'yellow' }] }),
  crashes: () => {
    throw new Error('secret-in-a-stack')
  },
  silent: () =>
    new Response(
      new ReadableStream({ pull: () => new Promise(() => setInterval(() => {}, 60_000)) }),
    ),
  structured_good: structured({ n: 1.5 }),
  structured_wrong: structured({ n: 'one' }),
  structured_missing: () => text('1.5'),
  structured_list: structured([1, 2]),
}
