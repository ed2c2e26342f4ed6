const { AbortController, AbortSignal } = globalThis
export { AbortController, AbortSignal }
export default { AbortController, AbortSignal }
