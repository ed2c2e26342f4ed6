/** Answers in JSON that are not JSON-RPC. */

export function json(status: number, body: unknown, headers?: Record<string, string>): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** 200 with a state that can change at any time. */
export function uncached(body: unknown): Response {
  return json(200, body, { 'cache-control': 'no-store' })
}

/** `{ "error": { "code", "message" } }`, the form every plain HTTP route of the gateway uses. */
export function failure(
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): Response {
  return json(status, { error: { code, message } }, headers)
}

/** 405, naming what is allowed. */
export function methodNotAllowed(allow: string): Response {
  return failure(405, 'method_not_allowed', `This path allows only ${allow}.`, { allow })
}
