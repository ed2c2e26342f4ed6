/** What the command reads of `GET /activity`: see docs/http-api.md. */

export interface ShownSpan {
  id: string
  parent?: string
  kind: string
  name: string
  start: number
  ms: number
  status?: number
  error?: string
}

export interface ShownRequest {
  id: string
  time: string
  method: string
  path: string
  rpc?: string
  target?: string
  components: readonly string[]
  outcome: string
  reason?: string
  status: number
  ms: number
  bytes: number
  principal?: string
  client?: { name?: string; agent?: string }
  retries: number
  watched: boolean
  spans?: readonly ShownSpan[]
  lines?: readonly { at: number; component: string; stream: string; line: string }[]
}

export interface ShownComponent {
  id: string
  /** Another host than that of `ftl` has a status in place of numbers. */
  state?: string
  status?: string
  calls?: number
  errors?: number
  p50?: number
  p95?: number
  lastFailure?: { time: string; reason: string }
  instances?: number
  memory?: number
}
