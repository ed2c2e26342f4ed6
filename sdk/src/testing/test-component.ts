/** Runs a component in a plain test: with the code that serves it in production, on a platform in memory. */
import { type ComponentEntry, toComponent } from '../serve/component.ts'
import { builtComponent, type BuiltComponent, type BuiltOptions } from './built/built-component.ts'
import type { ComponentCalls, TestComponentOptions } from './component.ts'
import { componentCalls } from './component-calls.ts'
import { type Heard, withConsole } from './console.ts'
import { withComponentGlobals } from './globals.ts'
import { testPlatform } from './platform.ts'
import { watch } from './watch.ts'

export interface TestComponent extends ComponentCalls {
  /**
   * The same component as built WebAssembly, with the same options, in a state of its own. It is built when it is called
   * first, if a source has changed.
   */
  built(options?: BuiltOptions): BuiltComponent
}

/**
 * Serves a component in memory, for tests.
 *
 * @param entry the component's module: `import * as entry from './main.ts'`.
 * @throws {TypeError} as the build does, when the module exports nothing that can be served.
 * @example
 * const component = testComponent(await import('./main.ts'), { variables: { unit: 'celsius' } })
 * const result = await component.call('weather', { city: 'Oslo' })
 */
export function testComponent(
  entry: ComponentEntry,
  options: TestComponentOptions = {},
): TestComponent {
  const { name = 'test', components = {}, globals = [] } = options
  const watched = watch(entry)
  const served = new Map(
    Object.entries({ ...components, [name]: watched.entry }).map(([id, module]) => [
      id,
      toComponent(module, id),
    ]),
  )
  const platform = testPlatform(options, (request) =>
    served.get(componentIn(request.url))?.fetch(request, platform),
  )
  const heard: Heard[] = []
  const calls = componentCalls({
    options,
    platform,
    heard,
    runner: {
      async send(path, init) {
        const component = served.get(name)
        if (!component) throw new TypeError(`there is no component "${name}"`)
        const request = new Request(`http://${name}.spin.internal${path}`, init)
        return component.fetch(request, platform)
      },
      // What it prints is kept, and the globals of Node are hidden.
      around: (work, missed = new Set()) =>
        withConsole(
          (line) => heard.push(line),
          () => withComponentGlobals(globals, missed, work),
        ),
      takeError: () => watched.takeError(),
      settled: () => platform.settled(),
    },
  })
  return Object.assign(calls, {
    built: (how?: BuiltOptions) => builtComponent(entry, options, how),
  })
}

/** The component that an address of the application names; empty for another address. */
export function componentIn(url: string): string {
  return /^http:\/\/([a-z0-9-]+)\.spin\.internal(?:[/?]|$)/.exec(url)?.[1] ?? ''
}
