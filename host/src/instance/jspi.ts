/**
 * Types of JavaScript Promise Integration, which TypeScript's library does not have yet.
 * @see https://github.com/WebAssembly/js-promise-integration
 */

/** A function a guest imports. 64-bit integers are bigints, everything else is a number. */
export type ImportFunction = (...args: never[]) => unknown

interface Jspi {
  /** Lets the guest wait where the function returns a promise; a plain value passes without a wait. */
  Suspending: new (call: ImportFunction) => WebAssembly.ImportValue
  /** Makes a guest's export return a promise. */
  promising: (call: WebAssembly.ExportValue) => (...args: number[]) => Promise<unknown>
}

/** @throws {Error} on a Node without JSPI; 26 has it. */
export function jspi(): Jspi {
  if (!('Suspending' in WebAssembly)) {
    throw new Error(
      `Node ${process.versions.node} cannot suspend WebAssembly (JSPI); use Node 26 or newer`,
    )
  }
  return WebAssembly as unknown as Jspi
}
