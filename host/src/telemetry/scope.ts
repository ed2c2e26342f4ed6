/** Who measured, in OpenTelemetry's sense. */
export const SCOPE = { name: 'ftl-host' } as const
