/** A runtime of its own inside the engine: `engine/src/realm.rs`. Only strings cross. */
declare module 'ftl:engine/realm' {
  /** The reason why the program cannot continue, if there is one, and the messages that it has posted. */
  export type Turn = [end: 'time' | 'messages' | 'failed' | undefined, messages: string[]]

  /**
   * Makes the realm, once; at module scope it is part of the component.
   *
   * @param script a function; it is called with `post`, and returns an object with `run`, `receive` and `rejected`.
   */
  export function open(script: string, maxBytes: number): void
  /** @param computeMs milliseconds the program may compute, all of its turns together. */
  export function limit(computeMs: number, maxBytes: number): void
  /** What is wrong with the syntax of a script, without running it. */
  export function syntaxError(source: string, name: string): string | undefined
  /** Evaluates a script, and gives its value to `run` of the realm. */
  export function run(source: string, name: string): Turn
  /** Gives a text to `receive` of the realm. */
  export function deliver(text: string): Turn
}
