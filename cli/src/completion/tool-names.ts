/** Tools of the gateway on this machine, for shell completion. */
import type { Candidate } from './words.ts'

/** Milliseconds; short, because the user waits for the completion. */
const PATIENCE_MS = 1500

/** @returns an empty list when no gateway responds. */
export async function toolNames(url: string): Promise<Candidate[]> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { result } = (await response.json()) as {
      result?: { tools: { name: string; description?: string }[] }
    }
    return (result?.tools ?? []).map(({ name, description = '' }) => ({ word: name, description }))
  } catch {
    return []
  }
}
