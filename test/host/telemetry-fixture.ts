/** A collector for each test, and the fixture application that sends telemetry to it. */
import { afterEach, beforeEach } from 'vitest'
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from '../support/otlp-receiver.ts'
import { type Fixture, startFixture } from './fixture.ts'

export let collector: OtlpReceiver
/** What is closed after the test, the last one first. */
export const closing: (() => Promise<void>)[] = []

/** For each test of the file that calls it. */
export function useCollector(): void {
  beforeEach(async () => {
    collector = await startOtlpReceiver()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    await collector.close()
  })
}

/** The environment of a host that sends telemetry. */
export const telemetry = (more: Record<string, string> = {}) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
  ...more,
})

export async function fixture(options: Parameters<typeof startFixture>[0] = {}): Promise<Fixture> {
  const host = await startFixture({ workers: 1, env: telemetry(), ...options })
  closing.push(() => host.close())
  return host
}

export const named = (spans: ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name === name)
