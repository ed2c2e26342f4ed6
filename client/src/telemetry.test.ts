import { context, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  StackContextManager,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessError, RpcError } from './errors.ts'
import { type CallDescription, traced } from './telemetry.ts'

const CALL: CallDescription = {
  server: 'files',
  tool: 'read_file',
  revision: '2026-07-28',
  url: undefined,
}

it('without an SDK nothing is made and nothing is sent', async () => {
  expect(await traced(CALL, async (meta) => ({ meta }))).toEqual({ meta: undefined })
})

describe('with an SDK', () => {
  const exporter = new InMemorySpanExporter()
  const contexts = new StackContextManager()
  beforeAll(() => {
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    trace.setGlobalTracerProvider(provider)
    context.setGlobalContextManager(contexts.enable())
  })
  afterAll(() => {
    trace.disable()
    context.disable()
    // The module's tracer keeps the SDK of its first span: the next file in this process loads the module again.
    vi.resetModules()
  })
  beforeEach(() => exporter.reset())

  const spans = () => exporter.getFinishedSpans()

  it('a call is a span of the semantic conventions, and its context is sent', async () => {
    const { meta } = await traced(CALL, async (meta) => ({ meta }))
    const [span, ...more] = spans()
    expect(more).toEqual([])
    expect(span).toMatchObject({
      name: 'mcp.files.read_file',
      kind: 2,
      status: { code: 0 },
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': '2026-07-28',
        'gen_ai.tool.name': 'read_file',
        'gen_ai.operation.name': 'execute_tool',
        'network.transport': 'pipe',
      },
    })
    const { traceId, spanId } = span!.spanContext()
    // https://www.w3.org/TR/trace-context/#traceparent-header
    expect(meta?.['traceparent']).toBe(`00-${traceId}-${spanId}-01`)
  })

  it('a server with a URL is identified by its address and port', async () => {
    const url = new URL('https://gw.example/mcp')
    await traced({ ...CALL, url }, async () => ({}))
    expect(spans()[0]?.attributes).toMatchObject({
      'network.transport': 'tcp',
      'server.address': 'gw.example',
      'server.port': 443,
    })
  })

  it('what happens within is its child, and it is a child itself', async () => {
    const tracer = trace.getTracer('test')
    await tracer.startActiveSpan('outer', async (outer) => {
      const call = traced(CALL, async () => {
        tracer.startSpan('inner').end()
        return {}
      })
      outer.end()
      await call
    })
    const named = (name: string) => spans().find((span) => span.name === name)!
    const call = named('mcp.files.read_file')
    expect(named('inner').parentSpanContext?.spanId).toBe(call.spanContext().spanId)
    expect(call.parentSpanContext?.spanId).toBe(named('outer').spanContext().spanId)
  })

  it('a tool that failed marks the span, and its result is passed on', async () => {
    expect(await traced(CALL, async () => ({ isError: true }))).toEqual({ isError: true })
    expect(spans()[0]).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'tool_error' },
    })
  })

  it.each([
    [
      new RpcError(-32602, 'no such tool'),
      { 'error.type': '-32602', 'rpc.response.status_code': '-32602' },
    ],
    [new ProcessError('it ended'), { 'error.type': 'process' }],
    [new Error('a defect'), { 'error.type': 'unknown' }],
  ])('%s marks the span, and is thrown on', async (error, attributes) => {
    await expect(traced(CALL, () => Promise.reject(error))).rejects.toBe(error)
    expect(spans()[0]).toMatchObject({ status: { code: 2, message: error.message }, attributes })
  })
})
