/** How a gateway that runs is doing, itself and component by component. */
import { visible } from '../terminal/visible-text.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

interface ComponentHealth {
  component: string
  /** `stale`: it did not answer, and what it offered last is listed. */
  status: string
  reason?: string
  tools?: number
  problems?: string[]
  /** What is not as pinned, and so not served. */
  differences?: string[]
}

/** Milliseconds a gateway has to answer: it asks its components, each within its own deadline. */
const PATIENCE_MS = 15_000

/** @param url any address of the gateway; `/mcp` at its end does not matter. */
export async function checkGateway(url: string): Promise<Finding[]> {
  const origin = url.replace(/\/+(mcp)?\/*$/, '')
  let response: Response
  try {
    response = await fetch(`${origin}/health/components`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch (error) {
    const { cause, message } = error as Error
    const reason = cause instanceof Error ? cause.message : message
    return [problem('gateway', `${origin} cannot be reached (${reason})`, 'start it: ftl start')]
  }
  if (response.status === 401) {
    return [
      ok(
        'gateway',
        `${origin} answers, and requires authentication; its components were not checked`,
      ),
    ]
  }
  const body = (await response.json().catch(() => undefined)) as
    { components?: ComponentHealth[]; warning?: unknown } | undefined
  if (!response.ok || !Array.isArray(body?.components)) {
    const message = `${origin}/health/components answered ${response.status}, and not as a gateway does`
    return [problem('gateway', message, 'name the address of a gateway with --url')]
  }
  return [
    ok('gateway', `${origin} answers`),
    ...(typeof body.warning === 'string' ? [storeFinding(visible(body.warning))] : []),
    ...body.components.flatMap(componentFindings),
  ]
}

/** Of a gateway on Spin, whose components share their store. */
function storeFinding(text: string): Finding {
  return warning('gateway', text, 'see docs/deploying.md#spin')
}

function componentFindings(health: ComponentHealth): Finding[] {
  const { component, differences = [] } = health
  if (differences.length === 0) return [componentFinding(health)]
  const text = differences.map(visible).join(' ')
  const pins = problem(`pins of ${component}`, text, `if you accept it: ftl pin ${component}`)
  return [componentFinding(health), pins]
}

function componentFinding(health: ComponentHealth): Finding {
  const { component, status, reason, tools = 0, problems = [] } = health
  const about = `component ${component}`
  const details = [...(reason === undefined ? [] : [reason]), ...problems].map(visible)
  if (status === 'ok' && details.length === 0) {
    return ok(about, `answers, with ${tools} tool${tools === 1 ? '' : 's'}`)
  }
  const why = details.join('; ')
  const remedy = 'the lines it prints say more: they are in the terminal of the gateway'
  if (status === 'ok') return warning(about, why, remedy)
  return problem(about, why === '' ? status : `${status}: ${why}`, remedy)
}
