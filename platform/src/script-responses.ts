/** Responses of a program that serves a component, before the component has the request. */

/** Only components of the application have such names: a client that uses one pretends to be one. */
export const isForeignName = ({ url }: Pick<Request, 'url'>): boolean =>
  /(^|\.)spin\.internal\.*$/.test(new URL(url).hostname)

export const foreignName = () =>
  problem(
    421,
    'misdirected',
    'Names in spin.internal are for components. Use the address of the server.',
  )

/** Only a host may say who sent a request, in headers of this form. */
export const OF_HOST = /^spin-/i

export function problem(status: number, code: string, message: string): Response {
  return new Response(JSON.stringify({ error: { code, message } }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
