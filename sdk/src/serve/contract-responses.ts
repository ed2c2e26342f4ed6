/** Answers of the component contract that are not tool results. */

export function json(status: number, body: unknown, headers?: Record<string, string>): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export function failure(status: number, code: string, message: string): Response {
  return json(status, { error: { code, message } })
}

export function notFound(message: string): Response {
  return failure(404, 'not_found', message)
}

export function methodNotAllowed(allow: string): Response {
  return json(
    405,
    { error: { code: 'method_not_allowed', message: `allowed here: ${allow}` } },
    { allow },
  )
}
