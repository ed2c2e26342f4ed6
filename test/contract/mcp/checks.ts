import { expect } from 'vitest'
import { type Answer, ask, MODERN, send } from './client.ts'

/** Why a test with such a header is skipped on Spin. */
export const NOT_UTF8 = 'Spin itself answers 500 to a header that is not UTF-8'

/** Refused because headers and body do not agree. */
export function expectHeaderMismatch({ status, error, messages }: Answer): void {
  expect([status, error?.code, messages[0]?.id]).toEqual([400, -32020, 1])
}

/** What the server declares to a client of the revision: by `server/discover`, or by `initialize`. */
export async function capabilitiesAt(
  url: string,
  revision: string,
): Promise<Record<string, { listChanged?: boolean; subscribe?: boolean }>> {
  const clientInfo = { name: 'contract-tests', version: '1.0.0' }
  const params = { protocolVersion: revision, capabilities: {}, clientInfo }
  const { result } =
    revision === MODERN
      ? await ask(url, 'server/discover')
      : await send(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params })
  return result['capabilities'] as Record<string, object>
}
