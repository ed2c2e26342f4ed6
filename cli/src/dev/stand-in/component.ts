/**
 * Answers every request to a component that `ftl dev` cannot build, with the reason. It is an ordinary component, so host
 * and gateway treat it as they would treat the missing one.
 *
 * The gateway reads `error.code`, and lists `tools` when it knows none of the component.
 */
import { DEV_COMPONENT, DEV_PROBLEM, DOES_NOT_BUILD } from './names.ts'

interface Platform {
  variables: { get(name: string): string | undefined }
}

/**
 * Whether no page can have led this name to this machine (DNS rebinding). The reason has lines of sources, and a component
 * with a public route is reached without the checks of the gateway.
 */
const isNear = (name: string): boolean =>
  name === 'localhost' || /^[\d.]+$|^\[|\.spin\.internal$/.test(name)

export default {
  fetch(request: Request, { variables }: Platform): Response {
    const reason = variables.get(DEV_PROBLEM) ?? ''
    const message = isNear(new URL(request.url).hostname)
      ? reason
      : `${variables.get(DEV_COMPONENT)} cannot be served; ftl dev says why in its terminal`
    const error = { code: DOES_NOT_BUILD, message }
    if (request.method === 'POST') {
      const isOffer = /^\/(prompts\/.*|resources|complete)$/.test(new URL(request.url).pathname)
      const result = { content: [{ type: 'text', text: message }], isError: true }
      return Response.json(isOffer ? { error } : result, { status: 400 })
    }
    // For a browser: a message that contains markup must not become a page.
    if (request.headers.get('accept')?.includes('text/html')) {
      return new Response(`${message}\n`, {
        status: 503,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'x-content-type-options': 'nosniff',
        },
      })
    }
    const tool = {
      name: variables.get(DEV_COMPONENT),
      description: 'It does not build; a call says why.',
      inputSchema: { type: 'object' },
    }
    return Response.json({ error, tools: [tool] }, { status: 503 })
  },
}
