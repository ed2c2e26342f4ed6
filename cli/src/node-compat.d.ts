/** Libraries that ship no types, or others than those of Node. A slash at the end means the package, not Node's module. */
declare module 'buffer/' {
  export const Buffer: typeof globalThis.Buffer
  export type Buffer = globalThis.Buffer
  export const INSPECT_MAX_BYTES: number
  export const kMaxLength: number
  export const SlowBuffer: typeof globalThis.Buffer
}
declare module 'events/' {
  export { default } from 'node:events'
}
declare module 'object-inspect' {
  export default function inspect(value: unknown, options?: { depth?: number }): string
}
declare module 'path-browserify' {
  import path from 'node:path'
  export default path
}
declare module 'readable-stream' {
  import stream from 'node:stream'
  export default stream
}
declare module 'string_decoder/' {
  export { StringDecoder } from 'node:string_decoder'
}
