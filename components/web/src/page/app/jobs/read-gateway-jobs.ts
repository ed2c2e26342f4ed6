/** Pages of `GET /jobs`: jobs as the gateway has them, also those that this browser did not start. */
import { asArray, asRecord, count, getJson, text } from '../net/api.ts'
import { type KnownJob, toState } from './known-jobs.ts'

export interface GatewayJob extends KnownJob {
  /** Until when the gateway keeps it, in milliseconds since 1970. */
  keptUntil: number | undefined
  owner: string | undefined
  /** An observer sees jobs of others, and cannot cancel them. */
  isOwn: boolean
}

export interface GatewayPage {
  jobs: readonly GatewayJob[]
  next: string | undefined
}

/** @throws {ApiError} 403 if the caller may not see them. */
export async function readPage(of: 'me' | 'all', after: string | undefined): Promise<GatewayPage> {
  const query = new URLSearchParams({ of, ...(after !== undefined && { after }) })
  const body = asRecord(await getJson(`/jobs?${query.toString()}`))
  return { jobs: asArray(body['jobs']).flatMap(toGatewayJob), next: text(body['next']) }
}

function toGatewayJob(value: unknown): GatewayJob[] {
  const record = asRecord(value)
  const [id, tool] = [text(record['id']), text(record['tool'])]
  const state = toState(record['status'])
  if (id === undefined || tool === undefined || !state) return []
  const progress = asRecord(record['progress'])
  return [
    {
      ...{ id, tool, state, startedAt: timeOf(record['createdAt']) ?? 0 },
      message: text(record['message']),
      error: text(asRecord(record['error'])['message']),
      progress: count(progress['value']),
      total: count(progress['total']),
      keptUntil: timeOf(record['expiresAt']),
      owner: text(record['owner']),
      isOwn: record['isOwn'] === true,
    },
  ]
}

function timeOf(value: unknown): number | undefined {
  const time = Date.parse(text(value) ?? '')
  return Number.isNaN(time) ? undefined : time
}
