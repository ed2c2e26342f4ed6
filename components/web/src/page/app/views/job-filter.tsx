/** Which jobs the view shows. */
import { isOver, type KnownJob } from '../jobs/known-jobs.ts'
import './job-filter.css'

export interface JobFilter {
  state: 'all' | 'running' | 'completed' | 'failed' | 'expired'
  /** Empty for all. */
  tool: string
}

export const NO_JOB_FILTER: JobFilter = { state: 'all', tool: '' }

export function matchesJob(job: KnownJob, { state, tool }: JobFilter): boolean {
  if (tool !== '' && job.tool !== tool) return false
  if (state === 'all') return true
  if (state === 'running') return !isOver(job)
  if (state === 'failed') return job.state === 'failed' || job.state === 'cancelled'
  return job.state === state
}

interface JobFilterBarProps {
  filter: JobFilter
  tools: readonly string[]
  onChange: (filter: JobFilter) => void
}

export function JobFilterBar({ filter, tools, onChange }: JobFilterBarProps) {
  return (
    <div class="job-filter">
      <select
        aria-label="State"
        value={filter.state}
        onChange={({ currentTarget }) =>
          onChange({ ...filter, state: currentTarget.value as JobFilter['state'] })
        }
      >
        <option value="all">All states</option>
        <option value="running">Running</option>
        <option value="completed">Done</option>
        <option value="failed">Failed or cancelled</option>
        <option value="expired">Expired</option>
      </select>
      <select
        aria-label="Tool"
        value={filter.tool}
        onChange={({ currentTarget }) => onChange({ ...filter, tool: currentTarget.value })}
      >
        <option value="">All tools</option>
        {tools.map((tool) => (
          <option key={tool} value={tool}>
            {tool}
          </option>
        ))}
      </select>
    </div>
  )
}
