/** A hostile server behind `remote`, and a good one beside it: the test sees what callers of the good one still get. */
import type { ServerResponse } from 'node:http'
import { afterEach } from 'vitest'
import { type RemoteApplication, startRemote } from '../../remote/application.ts'
import { json, result, startFaulty } from '../../remote/faulty-server.ts'
import type { WebServer } from '../../remote/servers.ts'
import type { ServeOptions } from '../../support/serve-manifest.ts'

/** Text of 10 KB in each of 20 tools: a list as large servers have it. */
export const GOOD = Array.from({ length: 20 }, (_, index) => ({
  name: `good${index}`,
  description: 'x'.repeat(10_000),
  inputSchema: { type: 'object' },
}))

/**
 * What starts both servers with an application; all of it ends with the test. The tools of the hostile one begin with `h_`.
 *
 * Each file calls it for itself: files share a process, which loads this module only once.
 *
 * @param host options of the embedded host.
 */
export function besideHostile(host?: ServeOptions['host']) {
  const servers: WebServer[] = []
  let application: RemoteApplication | undefined
  afterEach(async () => {
    await application?.close()
    application = undefined
    for (const server of servers.splice(0)) await server.close()
  })
  return async (hostile: WebServer, ...further: WebServer[]): Promise<RemoteApplication> => {
    const answer = (response: ServerResponse, id: unknown) =>
      json(response, result(id, { content: [{ type: 'text', text: 'good' }] }))
    const good = await startFaulty('call', answer, () => ({ tools: GOOD }))
    servers.push(good, hostile, ...further)
    const configured = [
      { name: 'good', url: good.url },
      { name: 'hostile', url: hostile.url, prefix: 'h_' },
    ]
    // A busy machine needs longer for megabytes.
    application = await startRemote(configured, { discovery_timeout_ms: '20000' }, undefined, host)
    return application
  }
}
