/** Tools that no task needs, as the public servers of an organisation have them: they are only listed and found. */
import { labelledTools } from '../../../gateway/src/search/testing/labelled/labelled.ts'
import { OFFICE_TOOLS } from './office.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== 'GET') return new Response('not used', { status: 500 })
    const others = labelledTools().map(({ description }) => description)
    return Response.json(others.filter(({ name }) => !OFFICE_TOOLS.includes(name)))
  },
}
