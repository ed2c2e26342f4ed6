/** What an app may ask the page for, as plain decisions. */
import type { Tool } from '../net/tools.ts'

/** The gateway's own tools for jobs: an app has to know the id of a job, which is a secret. */
const JOB_TOOLS = new Set(['get_job', 'cancel_job'])

export interface Callable {
  tools: readonly Tool[]
  /** The component of each tool. */
  owners: ReadonlyMap<string, string>
  /** The component of the app. */
  component: string
}

/** @returns why an app may not call the tool; nothing if it may. */
export function whyNotCallable(name: string, { tools, owners, component }: Callable): string {
  if (JOB_TOOLS.has(name)) return ''
  const tool = tools.find((other) => other.name === name)
  if (!tool || component === '' || owners.get(name) !== component) {
    return `An app may call only the tools of its own component; it has no tool "${name.slice(0, 100)}".`
  }
  return tool.isForApps !== false ? '' : `The tool "${name}" is not for apps.`
}

/**
 * Each call of an app needs the person's consent, unless its tool says that it only reads: by the protocol, a tool that says
 * nothing may destroy.
 */
export function needsConsent(name: string, tools: readonly Tool[]): boolean {
  if (name === 'get_job') return false
  const { annotations } = tools.find((tool) => tool.name === name) ?? {}
  return annotations?.['readOnlyHint'] !== true || annotations['destructiveHint'] === true
}

const HIGHEST = 1_000
const LOWEST = 48

/** Pixels of an app in the page; whatever else it says is ignored. */
export function heightOf(wanted: unknown, windowHeight: number): number | undefined {
  if (typeof wanted !== 'number' || !Number.isFinite(wanted) || wanted <= 0) return undefined
  const limit = Math.max(LOWEST, Math.min(HIGHEST, Math.round(windowHeight * 0.8)))
  return Math.min(Math.max(Math.ceil(wanted), LOWEST), limit)
}

/** @returns the address if a person may be asked to open it. */
export function linkOf(url: string): URL | undefined {
  if (url.length > 2_000) return undefined
  try {
    const { protocol, username, password } = new URL(url)
    // `https://bank.example@evil.example` deceives a reader.
    const isPlain = /^https?:$/.test(protocol) && username === '' && password === ''
    return isPlain ? new URL(url) : undefined
  } catch {
    return undefined
  }
}

const LONGEST_TEXT = 4_000

/** The text of content blocks, or an empty text. */
export function textOf(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [content]
  const texts = blocks.flatMap((block) => {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown }
    return type === 'text' && typeof text === 'string' ? [text] : []
  })
  return texts.join('\n').trim().slice(0, LONGEST_TEXT)
}

/** Lets so many through in a minute. */
export function createQuota(
  perMinute: number,
  now: () => number = () => Date.now(),
): () => boolean {
  let times: number[] = []
  return () => {
    times = times.filter((time) => now() - time < 60_000)
    if (times.length >= perMinute) return false
    times.push(now())
    return true
  }
}
