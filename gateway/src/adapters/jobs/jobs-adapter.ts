/** `GET` and `DELETE /jobs/{id}`: returns or cancels a job, for clients that poll, such as the bridge. `GET /jobs` lists them. */
import { jobLinkIn, type JobRecord, publicJob } from 'ftl-contract'
import { addressOf, failure, uncached } from 'ftl-http'
import type { TransportAdapter } from '../../gateway.ts'
import { answerEvents } from './job-events.ts'
import { answerList } from './jobs-list.ts'
import type { Route } from '../../routes.ts'
import { NO_SUCH_JOB, OwnerUnavailable } from '../../jobs/job-reader.ts'

export const jobsAdapter: TransportAdapter = {
  name: 'jobs',
  routes: ({ jobs }): Route[] => [
    {
      path: '/jobs',
      methods: { GET: ({ request, scope }) => answerList(request, scope) },
    },
    {
      path: '/jobs/:id/events',
      methods: { GET: async (context) => (await answerEvents(jobs, context)) ?? notFound() },
    },
    {
      path: '/jobs/:id',
      methods: {
        async GET({ request, scope, param }) {
          const job = await jobs.read(scope, param)
          // Not for a request by link, which would prolong itself.
          const isByLink = jobLinkIn(addressOf(request).search) !== undefined
          return answered(job, isByLink ? undefined : scope.links.get(param))
        },
        async DELETE({ scope, param }) {
          try {
            return answered(await jobs.cancel(scope, param))
          } catch (error) {
            if (!(error instanceof OwnerUnavailable)) throw error
            return failure(502, 'component_unavailable', error.message)
          }
        },
      },
    },
  ],
}

/** @param link the capability of an owned job, for its owner. */
function answered(job: JobRecord | undefined, link?: string): Response {
  return job ? uncached({ ...publicJob(job), link }) : notFound()
}

function notFound(): Response {
  return failure(404, 'job_not_found', NO_SUCH_JOB)
}
