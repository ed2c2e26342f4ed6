/** Tools with one feature each of schemas and of results, as real authors write them. */
import type { Content, ToolDescription, ToolResult } from 'ftl-contract'

/** A schema of the property `x`, or of the whole, and arguments that fit. */
interface Shape {
  schema: object
  args: Record<string, unknown>
}

function of(x: unknown, value: unknown, more: object = {}): Shape {
  const schema = { type: 'object', properties: { x }, required: ['x'], ...more }
  return { schema, args: { x: value } }
}

const NODE = {
  type: 'object',
  properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
  required: ['name'],
}

const SHAPES: Readonly<Record<string, Shape>> = {
  nothing: { schema: { type: 'object', additionalProperties: false }, args: {} },
  optional: {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, x: { type: 'number' } },
      required: ['a'],
    },
    args: { a: '1' },
  },
  nullable: of({ type: ['string', 'null'] }, 'a'),
  numbers: of({ type: 'integer', enum: [1, 2] }, 2),
  constants: of({ anyOf: [{ const: 'a' }, { const: 'b' }] }, 'b'),
  reference: of(
    { $ref: '#/$defs/size' },
    { w: 1 },
    {
      $defs: { size: { type: 'object', properties: { w: { type: 'integer' } }, required: ['w'] } },
    },
  ),
  recursion: of(
    { $ref: '#/$defs/node' },
    { name: 'a', next: { name: 'b' } },
    { $defs: { node: NODE } },
  ),
  either: of({ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'a'),
  email: of({ type: 'string', format: 'email' }, 'ada@example.com'),
  address: of({ type: 'string', format: 'uri' }, 'https://example.com'),
  unknown_format: of({ type: 'string', format: 'nanoid' }, 'a'),
  look_ahead: of({ type: 'string', pattern: '^(?!b)' }, 'a'),
  // What HubSpot's server has, and the gateway publishes with `items`.
  anything_in_list: of({ type: 'array' }, ['a', 1]),
  tuple: of(
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    ['a', 1],
  ),
  constant: of({ const: 'a' }, 'a'),
}

const LINK = {
  type: 'resource_link',
  uri: 'https://example.com/b.png',
  name: 'b.png',
  mimeType: 'image/png',
} as const
const TEXT = { type: 'text', text: 'The words.' } as const
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const IMAGE = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const
const AUDIO = { type: 'audio', data: 'UklGRiQAAABXQVZF', mimeType: 'audio/wav' } as const
const NOTE = {
  type: 'resource',
  resource: { uri: 'test://note', mimeType: 'text/plain', text: 'The note.' },
} as const
const BLOB = {
  type: 'resource',
  resource: { uri: 'https://example.com/a.zip', mimeType: 'application/zip', blob: 'UEsDBA==' },
} as const

/** A result, and what a model must get of it. */
interface Kind {
  result: ToolResult
  says: RegExp
}

function kind(content: readonly Content[], says: RegExp, more: Partial<ToolResult> = {}): Kind {
  return { result: { content: [...content], ...more }, says }
}

const KINDS: Readonly<Record<string, Kind>> = {
  gives_text: kind([TEXT], /The words/),
  gives_texts: kind([TEXT, { type: 'text', text: 'And more.' }], /The words[^]*And more/),
  gives_image: kind([TEXT, IMAGE], /iVBORw0|image|PIL|PNG/i),
  gives_link: kind([LINK], /example\.com\/b\.png/),
  gives_text_and_link: kind([TEXT, LINK], /example\.com\/b\.png/),
  gives_audio: kind([TEXT, AUDIO], /audio/i),
  gives_note: kind([NOTE], /The note/),
  gives_blob: kind([TEXT, BLOB], /example\.com\/a\.zip|UEsDBA|BinaryContent/),
  gives_structured: kind([TEXT], /The words|42/, { structuredContent: { answer: 42 } }),
  gives_nothing: kind([], /^/),
  gives_error: kind([{ type: 'text', text: 'Out of paper.' }], /Out of paper/, { isError: true }),
  gives_own: kind([TEXT, { type: 'custom/chart', data: [1] }], /The words/),
}

export const JOB_TOOL = 'works'

export interface Call {
  name: string
  args: Record<string, unknown>
  /** What a model must get. */
  says: RegExp
  /** @default false */
  startsJob?: boolean
}

/** What each call is expected to give a model. */
export const CALLS: readonly Call[] = [
  ...Object.entries(SHAPES).map(([name, { args }]) => ({ name, args, says: saysOf(args) })),
  ...Object.entries(KINDS).map(([name, { says }]) => ({ name, args: {}, says })),
  { name: JOB_TOOL, args: {}, says: /job_id|This is job|The work is done/, startsJob: true },
]

/** The tool says its arguments as names and values in order, so that no framework's form of JSON matters. */
function saysOf(args: object): RegExp {
  return new RegExp(`got ${escaped(flat(args))}\\.`)
}

function escaped(text: string): string {
  return text.replace(/[^\w ]/g, '\\$&')
}

function flat(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, below]) => below !== undefined)
    .map(([name, below]) => `${name} ${flat(below)}`)
    .join(' ')
}

export const TOOLS: readonly ToolDescription[] = [
  ...Object.entries(SHAPES).map(([name, { schema }]) => ({
    name,
    description: `Says what it got: ${name}`,
    inputSchema: { ...schema },
  })),
  ...Object.keys(KINDS).map((name) => ({
    name,
    description: `A result: ${name}`,
    inputSchema: { type: 'object' },
  })),
]

export function answer(tool: string, args: object): ToolResult {
  return KINDS[tool]?.result ?? { content: [{ type: 'text', text: `got ${flat(args)}.` }] }
}
