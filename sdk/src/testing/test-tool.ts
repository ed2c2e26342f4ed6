/** One tool in a plain test. */
import type { ToolResult } from 'ftl-contract'
import type { GivenTo, ResultOf, Tool } from '../tool/create-tool.ts'
import type { Built, BuiltOptions } from './built/built-component.ts'
import type { CallSettings, ComponentCalls, TestCalls, TestComponentOptions } from './component.ts'
import type { CallOptions } from './headers.ts'
import { testComponent } from './test-component.ts'
import type { TestJob } from './test-job.ts'

/** The calls of one tool. */
export interface ToolCalls<T extends Tool = Tool> extends TestCalls {
  /** See {@link ComponentCalls.call}. Arguments that do not fit, to see them refused: `t.call({ a: 'one' } as never)`. */
  call(args?: GivenTo<T>, settings?: CallSettings): Promise<TypedResult<T>>
  startJob(args?: GivenTo<T>, settings?: CallOptions): Promise<TestJob>
}

export interface TestTool<T extends Tool = Tool> extends ToolCalls<T> {
  /**
   * The tool in its built component, with the same options, in a state of its own: for the same calls and assertions. The
   * component is built when it is called first, if a source has changed.
   *
   * @example
   * const t = testTool(tool, { variables: { unit: 'celsius' } }).built()
   * expect(textOf(await t.call({ city: 'Oslo' }))).toBe('21 °C in Oslo')
   */
  built(options?: BuiltOptions): BuiltTool<T>
}

export interface BuiltTool<T extends Tool = Tool> extends ToolCalls<T>, Built {}

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
  return withCalls(tool, component, {
    built: (how?: BuiltOptions) => withCalls(tool, component.built(how), {}),
  })
}

/** Not a copy: what the last call told is read when it is asked for. */
function withCalls<T extends Tool, C extends ComponentCalls, More extends object>(
  tool: T,
  component: C,
  more: More,
): Omit<C, 'call' | 'startJob'> & ToolCalls<T> & More {
  const { name } = tool.description
  return Object.assign(Object.create(component) as Omit<C, 'call' | 'startJob'>, {
    ...more,
    call: async (args?: GivenTo<T>, settings?: CallSettings) =>
      (await component.call(name, args, settings)) as TypedResult<T>,
    startJob: (args?: GivenTo<T>, settings?: CallOptions) =>
      component.startJob(name, args, settings),
  })
}
