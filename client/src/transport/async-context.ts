/** Node's own; the package's `imports` name another file for browsers. */
export { AsyncLocalStorage } from 'node:async_hooks'
