import { sampleOf } from '../schema/sample.ts'

/**
 * Checks sample arguments twice, because the engine optimises code that runs a second time. The checks are not awaited:
 * without a host, an author's check may never settle.
 */
export function rehearsal(check: (args: unknown) => unknown, jsonSchema: unknown): () => void {
  return () => {
    const attempt = async () => check(sampleOf(jsonSchema))
    for (let times = 0; times < 2; times++) attempt().catch(() => undefined)
  }
}
