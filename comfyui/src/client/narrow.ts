/** Reading answers of a server that may say anything. */

export type Json = Record<string, unknown>

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
