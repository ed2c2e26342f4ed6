/** One tool in a plain test. */
import type { ToolResult } from 'ftl-contract'
import type { GivenTo, ResultOf, Tool } from '../tool/create-tool.ts'
import type { CallOptions } from './headers.ts'
import {
  type CallSettings,
  type TestCalls,
  testComponent,
  type TestComponentOptions,
} from './test-component.ts'
import type { TestJob } from './test-job.ts'

export interface TestTool<T extends Tool = Tool> extends TestCalls {
  /** See {@link TestComponent.call}. Arguments that do not fit, to see them refused: `t.call({ a: 'one' } as never)`. */
  call(args?: GivenTo<T>, settings?: CallSettings): Promise<TypedResult<T>>
  startJob(args?: GivenTo<T>, settings?: CallOptions): Promise<TestJob>
}

type TypedResult<T extends Tool> = Omit<ToolResult, 'structuredContent'> & {
  structuredContent?: ResultOf<T>
}

/**
 * A tool without a build, without WebAssembly and without a gateway; with any test runner.
 *
 * @example
 * const t = testTool(tool, { fetch: { 'https://api.example/now': { temperature: 21 } } })
 * const result = await t.call({ city: 'Oslo' })
 * expect(result.content).toEqual([{ type: 'text', text: '21 °C' }])
 */
export function testTool<T extends Tool>(tool: T, options: TestComponentOptions = {}): TestTool<T> {
  const component = testComponent({ tool }, options)
  const { name } = tool.description
  // Not a copy: what the last call told is read when it is asked for.
  return Object.assign(Object.create(component) as TestCalls, {
    call: async (args?: GivenTo<T>, settings?: CallSettings) =>
      (await component.call(name, args, settings)) as TypedResult<T>,
    startJob: (args?: GivenTo<T>, settings?: CallOptions) =>
      component.startJob(name, args, settings),
  })
}
