/** Large requests of the native gateway take turns: all requests of a thread share its heap, and parsed JSON takes ten times its bytes. */
import { isBodyless } from '../http/followers.ts'
import type { HeaderEntry } from '../http/header-rules.ts'

/** Smaller ones are not counted. Bytes. */
const SMALL = 256 * 1024

/** Of a body without an announced length: the gateway reads no more. Bytes. */
const UNKNOWN = 4 * 1024 * 1024

/** Bytes of bodies that are worked on at once, with the default `--max-worker-heap`. */
const ROOM = 24 * 1024 * 1024

/** Bodies that the gateway passes on in pieces. */
const STREAMED = /^\/uploads(\?|$)/

/** @returns the bytes that a request counts. */
export function bytesOfBody(method: string, path: string, headers: readonly HeaderEntry[]): number {
  if (isBodyless(method) || STREAMED.test(path)) return 0
  const length = headers.find(([name]) => name === 'content-length')?.[1]
  const bytes = length === undefined ? UNKNOWN : Math.min(Number(length), UNKNOWN)
  return bytes > SMALL ? bytes : 0
}

export class LargeBodies {
  #free = ROOM
  readonly #waiting: { bytes: number; go: () => void }[] = []

  /** @returns a promise only if the request has to wait for its turn. */
  enter(bytes: number): Promise<void> | undefined {
    if (bytes <= this.#free && this.#waiting.length === 0) {
      this.#free -= bytes
      return undefined
    }
    return bytes === 0
      ? undefined
      : new Promise((go) => {
          this.#waiting.push({ bytes, go })
        })
  }

  leave(bytes: number): void {
    this.#free += bytes
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.bytes
      next.go()
    }
  }
}
