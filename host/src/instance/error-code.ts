/** The layout of `wasi:http/types.error-code` in a guest's memory. */
import { HTTP_ERROR_CODES, type HttpErrorCode } from '../http/http-error.ts'
import type { GuestMemory } from './memory.ts'

/** Bytes of an `error-code` in memory: a tag, then at offset 8 the largest payload (alignment 8). */
const ERROR_CODE_SIZE = 32

/**
 * Writes an `error-code` at `at`.
 *
 * Every optional payload is `none`, which is a zero byte, so only the tag differs; the two payloads that
 * are records (`DNS-error`, `TLS-alert-received`) consist of options as well.
 */
export function writeErrorCode(memory: GuestMemory, at: number, code: HttpErrorCode): void {
  memory.zero(at, ERROR_CODE_SIZE)
  memory.setU8(at, HTTP_ERROR_CODES.indexOf(code))
}
