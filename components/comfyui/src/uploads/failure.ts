/** An error as the gateway passes it on to the client. */
export function failure(status: number, code: string, message: string): Response {
  const headers = { 'cache-control': 'no-store' }
  return Response.json({ error: { code, message } }, { status, headers })
}
