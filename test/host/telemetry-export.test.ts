// Metrics as a collector gets them, and how telemetry is sent.
import { expect, test } from 'vitest'
import { startOtlpReceiver } from '../support/otlp-receiver.ts'
import { fieldsAt } from '../support/protobuf.ts'
import { sleep, startFixture } from './fixture.ts'
import { closing, collector, fixture, named, telemetry, useCollector } from './telemetry-fixture.ts'

useCollector()

test('metrics count calls of components, requests, instances and lost workers', async () => {
  const host = await fixture({ maxBlockingMs: 500 })
  await host.text('/call?to=http%3A%2F%2Fback.spin.internal%2Fecho')
  await host.text('/state')
  await host.text('/spin')
  const points = (metric: string) => collector.points().filter((point) => point.metric === metric)
  await collector.until(() => points('ftl.worker.restarts'))
  const requests = () =>
    Object.fromEntries(
      points('spin.request_count').map(({ attributes, value }) => {
        expect(attributes).toMatchObject({ trigger_type: 'http', app_id: 'host-fixtures' })
        return [String(attributes['component_id']), value]
      }),
    )
  await expect.poll(requests).toEqual({ probe: 3, back: 1 })
  expect(points('ftl.worker.restarts')).toMatchObject([
    { attributes: { component_id: 'probe' }, value: 1 },
  ])
  const durations = points('http.server.request.duration').map(({ attributes, value }) => [
    attributes['http.response.status_code'],
    value,
  ])
  expect(durations.sort()).toEqual([
    [200, 2],
    [500, 1],
  ])
  const ofProbe = (metric: string) =>
    points(metric).find(({ attributes }) => attributes['component_id'] === 'probe')?.value
  expect(ofProbe('ftl.instances.created')).toBeGreaterThanOrEqual(1)
  expect(ofProbe('ftl.instances.resets')).toBeGreaterThanOrEqual(2)
  expect(points('ftl.requests.running')).toMatchObject([{ value: 0 }])
})

test('protobuf is what is sent unless JSON is asked for', async () => {
  const host = await fixture({ env: telemetry({ OTEL_EXPORTER_OTLP_PROTOCOL: '' }) })
  await host.text('/state')
  const [post] = await collector.until(() =>
    collector.posts.filter(({ path }) => path === '/v1/traces'),
  )
  expect(post?.type).toBe('application/x-protobuf')
  // ExportTraceServiceRequest.resource_spans.scope_spans.spans.name
  const names = fieldsAt(post?.body ?? new Uint8Array(), [1, 2, 2, 5]).map((name) =>
    Buffer.from(name).toString(),
  )
  expect(names).toContain('execute_wasm_component probe')
  await collector.until(() => collector.posts.filter(({ path }) => path === '/v1/metrics'))
})

test('what is left is sent when the host closes', async () => {
  const env = telemetry({
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_METRIC_EXPORT_INTERVAL: '600000',
  })
  const host = await startFixture({ workers: 1, env })
  await host.text('/state')
  expect(collector.posts).toEqual([])
  await host.close()
  expect(named(collector.spans(), 'GET /...')).toHaveLength(1)
  expect(collector.points().map(({ metric }) => metric)).toContain('spin.request_count')
})

test('a collector that refuses changes nothing for requests, and is reported once', async () => {
  const refusing = await startOtlpReceiver({ status: 400 })
  closing.push(() => refusing.close())
  const host = await fixture({ env: { ...telemetry(), OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url } })
  while (refusing.posts.length <= 3) {
    expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
    await sleep(150)
  }
  expect(host.errors).toEqual([
    { component: 'host', message: expect.stringContaining('telemetry does not arrive') as string },
  ])
})

test('gRPC is refused with the way out before anything is started', async () => {
  const env = telemetry({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })
  await expect(startFixture({ env })).rejects.toThrow(
    /grpc, which this host does not support.*4318/,
  )
})
