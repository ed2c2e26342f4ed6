// A component with as many tools as the variable `tools` says. Each has a description and a schema of the size that tools of
// public servers have. It answers every call with what it was called with.
import type { Platform } from 'ftl-platform'

const VERBS = 'create list get update delete search export archive share restore'.split(' ')
const THINGS = (
  'invoice customer order shipment refund ticket comment label branch commit release deployment server backup alert ' +
  'metric report dashboard calendar meeting reminder contact message channel mailbox folder document spreadsheet slide photo ' +
  'video playlist recipe workout route flight hotel booking review coupon'
).split(' ')
const PLACES = 'workspace account team region archive'.split(' ')

function toolAt(number: number): object {
  const verb = VERBS[number % VERBS.length] as string
  const thing = THINGS[Math.floor(number / VERBS.length) % THINGS.length] as string
  const place = PLACES[
    Math.floor(number / (VERBS.length * THINGS.length)) % PLACES.length
  ] as string
  return {
    name: `${verb}_${thing}_${place}_${number}`,
    title: `${verb} ${thing}`,
    description:
      `Lets you ${verb} a ${thing} of the ${place}. Returns the ${thing} with its id, its owner and the time of the last ` +
      `change. The caller needs the permission to ${verb} in the ${place}; otherwise the call fails with an error.`,
    inputSchema: {
      type: 'object',
      properties: {
        [`${thing}_id`]: { type: 'string', description: `Identifier of the ${thing}` },
        [`${place}_id`]: { type: 'string', description: `The ${place} that it belongs to` },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many to return' },
        dry_run: { type: 'boolean', description: 'Only check, and change nothing', default: false },
      },
      required: [`${thing}_id`],
    },
    annotations: { readOnlyHint: ['list', 'get', 'search'].includes(verb) },
    ...(number === ALWAYS_VISIBLE && { _meta: { 'ftl/alwaysVisible': true } }),
  }
}

const ALWAYS_VISIBLE = 7

export default {
  async fetch(request: Request, platform: Platform): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (request.method === 'GET') {
      const [first = 0, count = 10] = (platform.variables.get('tools') ?? '').split('+').map(Number)
      return Response.json(Array.from({ length: count }, (_, index) => toolAt(first + index)))
    }
    const structuredContent = {
      tool: pathname.slice(1),
      arguments: JSON.parse(await request.text()) as unknown,
    }
    return Response.json({
      content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
      structuredContent,
    })
  },
}
