/** Responses of a program that serves a component, before the component has the request. */

/** Only components of the application have such names: a client that uses one pretends to be one. */
export const isForeignName = ({ url }: Pick<Request, 'url'>): boolean =>
  new URL(url).hostname.replace(/\.$/, '').endsWith('.spin.internal')

export function problem(status: number, code: string, message: string): Response {
  return new Response(JSON.stringify({ error: { code, message } }), {
    status,
    headers: { 'content-type': 'application/json' },
  })
}
