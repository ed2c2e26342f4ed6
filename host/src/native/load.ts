/** Loads a native program into a thread, before the thread is hardened: nothing can be loaded after that. */
import { compileFunction } from 'node:vm'
import { Body } from './body.ts'
import { NativeHeaders } from './headers.ts'
import { NativeRequest, NativeResponse } from './messages.ts'
import { nativeConsole } from './native-console.ts'
import type { NativeProgram } from './native-program.ts'
import type { NativeHost } from './native-host.ts'

/** Answers a request. */
export type NativeAnswer = (request: NativeRequest, host: NativeHost) => Promise<NativeResponse>

/** What a bundle leaves in its variable `native`: `ftl-gateway/native`, for example. */
interface NativeModule {
  createNative: (without: readonly string[], component: string) => NativeAnswer
}

/** The names that it finds instead of the thread's own. */
const SCOPE = {
  Request: NativeRequest,
  Response: NativeResponse,
  Headers: NativeHeaders,
  fetch: undefined,
  console: nativeConsole,
  globalThis: Object.freeze({
    [Symbol.for('ftl.textWithin')]: (body: Body, limit: number, announced: number) =>
      Body.textWithin(body, limit, announced),
  }),
}

/**
 * @param component its name in the manifest.
 * @param onLost gets the error of a promise that no code waits for. In a component that is a line of output. There is one for a
 * thread: such an error does not say which program it is of.
 */
export function loadNative(
  { code, without, server }: NativeProgram,
  component: string,
  onLost?: (reason: unknown) => void,
): NativeAnswer {
  if (onLost && process.listenerCount('unhandledRejection') === 0) {
    process.on('unhandledRejection', onLost)
  }
  // What `ftl build` has written into the component, the source asks for by this name.
  const scope = { ...SCOPE, BUILT_AS: server }
  const run = compileFunction(`${code}\nreturn native`, Object.keys(scope), {
    filename: `ftl-${component}.js`,
  }) as (...values: unknown[]) => NativeModule
  return run(...Object.values(scope)).createNative(without, component)
}
