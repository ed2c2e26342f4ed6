/** A header of the contract that has JSON. Only the gateway sends one, but a test or another component can be wrong. */
export function jsonIn(headers: Headers, name: string): Record<string, unknown> {
  try {
    return JSON.parse(headers.get(name) ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}
