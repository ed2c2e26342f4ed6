/** A gateway with a policy, over a component that a caller may use and one that this caller must not learn of. */
import { type AuthenticatedWorld, authenticatedWorld, BOTH } from './authenticated.ts'
import type { Component } from './components.ts'
import { JOB_ID, record } from './job-component.ts'
import type { Rule } from '../policy/policy.ts'

/** Everything that the hidden component publishes contains this word, and so does its name. */
export const HIDDEN = 'vault'

/** Publishes one of each kind, each named after the component. */
function offering(id: string): Component {
  const offer = {
    tools: [
      {
        name: `${id}_tool`,
        description: `Of ${id}`,
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
      },
      { name: `${id}_job`, inputSchema: { type: 'object' } },
      { name: 'a.name.for.openai', inputSchema: { type: 'object' }, title: id },
      { name: `${id} is not a name`, inputSchema: { type: 'object' } },
    ],
    prompts: [{ name: `${id}_prompt`, arguments: [{ name: 'who' }] }],
    resources: [{ uri: `${id}://plan`, name: `${id} plan` }],
    resourceTemplates: [{ uriTemplate: `${id}://{name}/page`, name: `${id} pages` }],
    completions: true,
    logging: true,
    jobs: true,
  }
  return (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/' && request.method === 'GET') return Response.json(offer)
    if (pathname === `/${id}_job`) {
      const job = record({ component: id, tool: `${id}_job` })
      return Response.json({ job }, { status: 202 })
    }
    if (pathname === `/jobs/${JOB_ID}`) return Response.json(record({ component: id, seq: 2 }))
    if (pathname.startsWith('/prompts/')) {
      return Response.json({ messages: [{ role: 'user', content: { type: 'text', text: id } }] })
    }
    if (pathname === '/resources') return Response.json({ contents: [{ uri: 'x:y', text: id }] })
    if (pathname === '/complete') return Response.json({ completion: { values: [id] } })
    return Response.json({ content: [{ type: 'text', text: `from ${id}` }] })
  }
}

export function guardedWorld(
  rules: Rule[],
  variables: Record<string, string> = {},
): AuthenticatedWorld {
  return authenticatedWorld(
    { ...BOTH, policy: JSON.stringify({ rules }), ...variables },
    undefined,
    { components: { open: offering('open'), [HIDDEN]: offering(HIDDEN) } },
  )
}
