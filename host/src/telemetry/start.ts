import type { Telemetry, TelemetryOptions } from './otlp.ts'
import type { TelemetrySettings } from './settings.ts'

/** Loads the SDK for those only who asked for it. */
export async function startTelemetry(
  settings: TelemetrySettings | undefined,
  options: Omit<TelemetryOptions, 'settings'>,
): Promise<Telemetry | undefined> {
  if (!settings) return undefined
  const { Telemetry } = await import('./otlp.ts')
  return Telemetry.start({ settings, ...options })
}
