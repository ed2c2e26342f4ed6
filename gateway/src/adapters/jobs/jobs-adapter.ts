/** `GET` and `DELETE /jobs/{id}`: returns or cancels a job, for clients that poll, such as the bridge. */
import { publicJob } from 'ftl-contract'
import { failure, json } from 'ftl-http'
import type { TransportAdapter } from '../../gateway.ts'
import { answerEvents } from './job-events.ts'
import type { Route } from '../../routes.ts'
import { OwnerUnavailable } from '../../jobs/job-reader.ts'

/** A job's state can change at any time. */
const UNCACHED = { 'cache-control': 'no-store' }

export const jobsAdapter: TransportAdapter = {
  name: 'jobs',
  routes: ({ jobs }): Route[] => [
    {
      path: '/jobs/:id/events',
      methods: { GET: async (context) => (await answerEvents(jobs, context)) ?? notFound() },
    },
    {
      path: '/jobs/:id',
      methods: {
        async GET({ scope, param }) {
          const job = await jobs.read(scope, param)
          return job ? json(200, publicJob(job), UNCACHED) : notFound()
        },
        async DELETE({ scope, param }) {
          try {
            const job = await jobs.cancel(scope, param)
            return job ? json(200, publicJob(job), UNCACHED) : notFound()
          } catch (error) {
            if (!(error instanceof OwnerUnavailable)) throw error
            const reason = `The job was not cancelled: ${error.message}.`
            return failure(502, 'component_unavailable', reason)
          }
        },
      },
    },
  ],
}

function notFound(): Response {
  return failure(404, 'job_not_found', 'There is no such job, or it has expired.')
}
