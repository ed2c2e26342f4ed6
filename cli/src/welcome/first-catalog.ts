/** Waits after a start until the gateway has asked every component for its tools. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface UnavailableComponent {
  component: string
  /** Why the gateway could not list it, as the end of a sentence: `it gave no answer within 10000 ms`. */
  reason: string
}

export interface FirstCatalog {
  /** Components without tools. */
  unavailable: UnavailableComponent[]
  /** What the others report: what of their configuration, or of the servers they use, does not work. */
  problems: { component: string; problem: string }[]
}

export interface FirstCatalogOptions {
  /** Milliseconds after which waiting ends. @default 30_000 */
  limitMs?: number
  /** Milliseconds after which `onSlow` is called. @default 2_000 */
  slowMs?: number
  /** Called once, if the wait takes longer than `slowMs`. */
  onSlow?: () => void
}

/** Reasons that pass by themselves: on a busy machine a component is compiled when it is first called. */
const PASSES = /no answer within|was not asked yet/

/** The gateway asks its components again at most once a second. */
const PAUSE_MS = 1000

/**
 * @param gateway origin of the gateway.
 * @returns components without tools, with the reason: those that fail, and those that were too slow; and the problems
 *   of the others.
 */
export async function waitForFirstCatalog(
  gateway: string,
  { limitMs = 30_000, slowMs = 2_000, onSlow = () => {} }: FirstCatalogOptions = {},
): Promise<FirstCatalog> {
  const started = performance.now()
  const slow = setTimeout(onSlow, slowMs)
  try {
    for (;;) {
      const catalog = await readCatalog(gateway)
      const isOver = performance.now() - started + PAUSE_MS > limitMs
      if (isOver || !catalog.unavailable.some(({ reason }) => PASSES.test(reason))) return catalog
      await sleep(PAUSE_MS)
    }
  } finally {
    clearTimeout(slow)
  }
}

interface Health {
  components?: {
    component: string
    status: string
    reason?: string
    problems?: string[]
    /** What is not as pinned, and so not served. */
    differences?: string[]
  }[]
}

async function readCatalog(gateway: string): Promise<FirstCatalog> {
  const response = await fetch(`${gateway}/health/components`)
  // An application without a gateway of ours, or one with a setting that it reports by itself.
  if (!response.ok) return { unavailable: [], problems: [] }
  const { components = [] } = (await response.json()) as Health
  return {
    unavailable: components
      .filter(({ status }) => status !== 'ok')
      .map(({ component, reason = 'it did not respond' }) => ({ component, reason })),
    problems: components.flatMap(({ component, problems = [], differences = [] }) =>
      [...differences, ...problems].map((problem) => ({ component, problem })),
    ),
  }
}
