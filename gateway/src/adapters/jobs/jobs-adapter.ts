/**
 * `GET` and `DELETE /jobs/{id}`: a job's state for whoever polls, the bridge among them.
 *
 * @module
 */
import { publicJob } from 'ftl-sdk/contract'
import type { TransportAdapter } from '../../gateway.ts'
import { failure, json, methodNotAllowed } from '../../http.ts'
import { OwnerUnavailable } from '../../jobs/job-reader.ts'

const ROUTE = '/jobs/:id'

/** A state is old the moment it is read. */
const UNCACHED = { 'cache-control': 'no-store' }

export const jobsAdapter: TransportAdapter = {
  name: 'jobs',
  register(app, { jobs }) {
    app.get(ROUTE, async (c) => {
      const job = await jobs.read(c.env.scope, c.req.param('id'))
      return job ? json(200, publicJob(job), UNCACHED) : notFound()
    })
    app.delete(ROUTE, async (c) => {
      try {
        const job = await jobs.cancel(c.env.scope, c.req.param('id'))
        return job ? json(200, publicJob(job), UNCACHED) : notFound()
      } catch (error) {
        if (!(error instanceof OwnerUnavailable)) throw error
        return failure(502, 'component_unavailable', `The job was not cancelled: ${error.message}.`)
      }
    })
    app.all(ROUTE, () => methodNotAllowed('GET, DELETE'))
  },
}

function notFound(): Response {
  return failure(404, 'job_not_found', 'There is no such job, or it has expired.')
}
