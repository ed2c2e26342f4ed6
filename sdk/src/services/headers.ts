/** What the headers of a call say that only few tools look at. */

/** @see https://www.w3.org/TR/trace-context/ */
const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage']

export function traceOf(headers: Headers): Record<string, string> | undefined {
  const sent = TRACE_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return sent.length > 0 ? Object.fromEntries(sent) : undefined
}

/** @param text JSON, of the gateway. */
export function capabilitiesIn(text: string | null): Record<string, unknown> {
  try {
    return JSON.parse(text ?? '{}') as Record<string, unknown>
  } catch {
    return {}
  }
}
