/** Loads the native gateway into a thread, before the thread is hardened: nothing can be loaded after that. */
import { compileFunction } from 'node:vm'
import { Body } from './body.ts'
import { NativeHeaders } from './headers.ts'
import { NativeRequest, NativeResponse } from './messages.ts'
import { nativeConsole } from './native-console.ts'
import type { NativeProgram } from './native-program.ts'
import type { NativeHost } from './native-host.ts'

/** `NativeGateway` of ftl-gateway/native. */
export type NativeGateway = (request: NativeRequest, host: NativeHost) => Promise<NativeResponse>

/** What a bundle of ftl-gateway/native leaves in its variable `gateway`. */
interface NativeModule {
  createNativeGateway: (without: readonly string[]) => NativeGateway
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

/** @param onLost gets the error of a promise that no code waits for. In a component that is a line of output. */
export function loadNativeGateway(
  { code, without, server }: NativeProgram,
  onLost?: (reason: unknown) => void,
): NativeGateway {
  if (onLost) process.on('unhandledRejection', onLost)
  // What `ftl build` has written into the component, the source asks for by this name.
  const scope = { ...SCOPE, BUILT_AS: server }
  const run = compileFunction(`${code}\nreturn gateway`, Object.keys(scope), {
    filename: 'ftl-gateway.js',
  }) as (...values: unknown[]) => NativeModule
  return run(...Object.values(scope)).createNativeGateway(without)
}
