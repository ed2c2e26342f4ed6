/** `node:timers`. */
const { clearInterval, clearTimeout, setInterval, setTimeout } = globalThis

export const setImmediate = (work: (...rest: unknown[]) => void, ...rest: unknown[]): unknown =>
  setTimeout(work, 0, ...rest)
export const clearImmediate = (id: ReturnType<typeof setTimeout>): void => clearTimeout(id)

export { clearInterval, clearTimeout, setInterval, setTimeout }
export default {
  clearImmediate,
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
}
