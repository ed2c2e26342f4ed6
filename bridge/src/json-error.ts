/** `{ "error": { "code", "message" } }`, the form of every error of the gateway. */
export function jsonError(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status })
}
