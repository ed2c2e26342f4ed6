/** What the author's functions get of their job. */
import { isFinal } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import { type JobContext, JobEnded, type JobHandle, type OwnJob } from './definition.ts'
import type { JobStore } from './store.ts'

export function jobContext(context: ToolContext, store: JobStore, job: OwnJob): JobContext {
  const { id, createdAt, upstream } = job
  let { state } = upstream
  const handle: JobHandle = {
    id,
    phase: upstream.phase,
    createdAt: Date.parse(createdAt),
    get state() {
      return state
    },
    async update({ state: next, ...shown }) {
      const written = await store.settle(id, (latest) => ({
        ...shown,
        ...(next !== undefined && { upstream: { ...latest.upstream, state: next } }),
      }))
      if (!written || isFinal(written)) throw new JobEnded(`job ${id} has ended`)
      state = written.upstream.state
    },
  }
  // Not a copy: the context's signal is made when it is first asked for.
  return Object.assign(Object.create(context) as ToolContext, { job: handle })
}
