/** What a tool's result says: pictures, a job that goes on, or a failure. */
import { asObject } from 'ftl-contract'
import type { ToolResult } from './host-protocol.ts'

export interface Picture {
  /** Name below `/outputs/`. */
  file: string
  /** As the gateway gave it. */
  address: string
  seed?: number
}

export interface Progress {
  value: number
  total?: number
}

export type Seen =
  | { kind: 'pictures'; text: string; pictures: Picture[]; size?: string }
  | {
      kind: 'job'
      text: string
      id: string
      pollMs: number
      progress?: Progress
      /** Address of its stream on the bridge. */
      stream?: string
    }
  | { kind: 'failed'; text: string }

/** Milliseconds between two looks at a job: what a component asks for may be too much or too little. */
const SHORTEST_POLL_MS = 500
const LONGEST_POLL_MS = 10_000

const OUTPUT = /\/outputs\/([\w-]+\.\w+)$/

export function readResult({ content, structuredContent, isError, _meta }: ToolResult): Seen {
  const items = asList(content).map(asObject)
  const text = items.map((item) => (item.type === 'text' ? String(item.text) : '')).join('\n')
  const said = text.trim()
  if (isError === true) return { kind: 'failed', text: said || 'It failed.' }
  const fields = asObject(structuredContent)
  if (typeof fields.job_id === 'string') return readJob(fields.job_id, fields, said, _meta)
  // A host may leave out what is structured; the links say the same.
  const addresses = Array.isArray(fields.images)
    ? fields.images
    : items.map(({ type, uri }) => type === 'resource_link' && uri)
  const seeds = asList(fields.seeds ?? [fields.seed])
  const pictures = addresses.flatMap((address, index): Picture[] => {
    const file = typeof address === 'string' && OUTPUT.exec(address)?.[1]
    const seed = seeds[index] ?? seeds[0]
    return file
      ? [{ file, address: String(address), ...(typeof seed === 'number' && { seed }) }]
      : []
  })
  if (pictures.length === 0) return { kind: 'failed', text: said || 'There is no picture.' }
  const { width, height } = fields
  const measured = typeof width === 'number' && typeof height === 'number'
  return {
    kind: 'pictures',
    text: said,
    pictures,
    ...(measured && { size: `${width} × ${height}` }),
  }
}

function readJob(id: string, fields: Record<string, unknown>, said: string, meta: unknown): Seen {
  const stream = asObject(meta)['ftl/ws_url']
  const { poll_interval_ms: poll, progress } = fields
  const { value, total } = asObject(progress)
  return {
    kind: 'job',
    id,
    // What follows is for a model: which tool to call next. The page calls it by itself.
    text: said.replace(/\s*This is job .*$/s, ''),
    pollMs: Math.min(Math.max(Number(poll) || 0, SHORTEST_POLL_MS), LONGEST_POLL_MS),
    ...(typeof stream === 'string' && { stream }),
    ...(typeof value === 'number' && {
      progress: { value, ...(typeof total === 'number' && { total }) },
    }),
  }
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
