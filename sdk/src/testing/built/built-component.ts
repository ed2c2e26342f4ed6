/** The built wasm of a component, called as {@link testComponent} calls its code. */
import { type ComponentEntry, toComponent, toToolSet } from '../../serve/component.ts'
import type { ComponentCalls, TestComponentOptions } from '../component.ts'
import { componentCalls } from '../component-calls.ts'
import { type Heard, withConsole } from '../console.ts'
import { withComponentGlobals } from '../globals.ts'
import { testPlatform } from '../platform.ts'
import { componentIn } from '../test-component.ts'
import { errorIn, Printed } from './printed.ts'
import type { BuiltSession } from './session.ts'

/** What the engine prints when nothing handles the rejection of a promise. */
const UNHANDLED = /^Uncaught \(in promise\)/

/** Which component is built. */
export interface BuiltOptions {
  /** Its id in `spin.toml`. @default the component that publishes the tools of the test */
  component?: string
  /** A module to build instead of a component of `spin.toml`: `new URL('./main.ts', import.meta.url)`. */
  entry?: URL | string
}

/** A built component can be prepared before it is called, and stopped. */
export interface Built {
  /**
   * Builds and starts it, where a call would do so: for `beforeAll`, with a longer timeout than a test has.
   *
   * @throws {Error} the message of the build, if the component cannot be built.
   */
  ready(): Promise<void>
  /** Stops it. Otherwise it stops with the test process. */
  close(): Promise<void>
}

export interface BuiltComponent extends ComponentCalls, Built {}

export function builtComponent(
  entry: ComponentEntry,
  options: TestComponentOptions,
  how: BuiltOptions = {},
): BuiltComponent {
  const { name = 'test', components = {}, globals = [] } = options
  const others = new Map(
    Object.entries(components)
      .filter(([id]) => id !== name)
      .map(([id, module]) => [id, toComponent(module, id)]),
  )
  const platform = testPlatform(options, (request) => {
    const id = componentIn(request.url)
    // A component that calls itself.
    return id === name
      ? session().then((opened) => opened.pass(request))
      : others.get(id)?.fetch(request, platform)
  })
  const heard: Heard[] = []
  const printed = new Printed(heard)
  const tools = toToolSet(entry)?.tools.map(({ description }) => description.name) ?? []
  let opened: Promise<BuiltSession> | undefined
  // Loaded when it is needed: the rest of the kit runs without Node.
  const session = () =>
    (opened ??= import('./session.ts').then(
      ({ BuiltSession }) => new BuiltSession({ name, how, tools, options, platform, printed }),
    ))
  let since = 0
  let settled = 0
  const calls = componentCalls({
    options,
    platform,
    heard,
    runner: {
      send: async (path, init) => (await session()).send(path, init),
      around: async (work, missed = new Set()) =>
        (await session()).around(() =>
          // The other components, and handlers of the test, run here.
          withConsole(
            (line) => heard.push(line),
            () => withComponentGlobals(globals, missed, work),
          ),
        ),
      takeError() {
        const error = errorIn(heard.slice(since))
        since = heard.length
        return error
      },
      async settled() {
        await (await session()).settled()
        const rejected = heard.slice(settled).find(({ text }) => UNHANDLED.test(text))
        settled = heard.length
        if (rejected) throw errorIn([rejected]) ?? new Error(rejected.text)
      },
    },
  })
  return Object.assign(calls, {
    ready: async () => (await session()).ready(),
    close: async () => (await opened)?.close(),
  })
}
