/** What a server says of a workflow, against what `run_workflow` and the linter say before it is sent. */
import { randomUUID } from 'node:crypto'
import { toNodeClass } from '../src/client/nodes.ts'
import { checkWorkflow, type NodeClasses, withStandIns } from '../src/workflow/index.ts'
import type { Converted, ObjectInfo } from '../src/editor/index.ts'

type ApiWorkflow = Converted['workflow']

/** `partly`: the server runs the outputs that it has no objection to. */
export type Verdict = 'accepts' | 'partly' | 'refuses'

export interface Compared {
  ours: Verdict
  servers: Verdict
  /** Why each refuses, in words. */
  reasons: string[]
}

/** Milliseconds for one request. */
const TIMEOUT_MS = 60_000

/** Submits the workflow to a server, and cancels it at once. */
export async function compareVerdicts(
  workflow: ApiWorkflow,
  info: ObjectInfo,
  url: string,
): Promise<Compared> {
  const classes: NodeClasses = Object.fromEntries(
    Object.entries(info).map(([name, each]) => [name, toNodeClass(each)]),
  )
  const findings = checkWorkflow(JSON.stringify(workflow), classes)
  const { verdict, reasons } = await ask(workflow, url)
  return {
    ours: findings.length > 0 ? 'refuses' : 'accepts',
    servers: verdict,
    reasons: [...findings.map(({ message }) => `ours: ${message}`), ...reasons],
  }
}

interface Refusal {
  error?: { message?: string; details?: string }
  node_errors?: Record<
    string,
    { class_type?: string; errors?: { details?: string; message?: string }[] }
  >
}

async function ask(
  prompt: ApiWorkflow,
  url: string,
): Promise<{ verdict: Verdict; reasons: string[] }> {
  const id = randomUUID()
  const post = (path: string, body: object) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
  // As each prompt is sent; nothing runs, so nothing reads the picture.
  const sent = await withStandIns(JSON.stringify(prompt), () => Promise.resolve('stand-in.png'))
  const response = await post('/prompt', { prompt: JSON.parse(sent) as unknown, prompt_id: id })
  const body = (await response.json()) as Refusal
  if (response.status !== 200 && response.status !== 400) {
    throw new Error(`POST /prompt: the server answered ${response.status}`)
  }
  if (response.status === 200) {
    await post('/queue', { delete: [id] })
    await post('/interrupt', { prompt_id: id })
  }
  const reasons = Object.entries(body.node_errors ?? {}).flatMap(([node, { class_type, errors }]) =>
    (errors ?? []).map(
      ({ message, details }) => `server: ${node} ${class_type}: ${message}: ${details}`,
    ),
  )
  const whole = body.error ? [`server: ${body.error.message}: ${body.error.details}`] : []
  const verdict = response.status === 400 ? 'refuses' : reasons.length > 0 ? 'partly' : 'accepts'
  return { verdict, reasons: [...whole, ...reasons] }
}
