/** `wasi:http/outgoing-handler` and the timeouts it takes. */
import type { Guest } from './guest.ts'
import { HttpError } from '../http/http-error.ts'
import { FutureResponse, OutgoingRequest, RequestOptions } from './http-resources.ts'
import type { ImportFunction } from './jspi.ts'

/** Milliseconds for each of connecting, the first byte and the gap between bytes; the same as Spin's. */
const DEFAULT_TIMEOUT_MS = 600_000

const milliseconds = (nanoseconds: bigint | undefined) =>
  nanoseconds === undefined ? DEFAULT_TIMEOUT_MS : Math.ceil(Number(nanoseconds) / 1e6)

export function outgoingHandlerImports(guest: Guest): Record<string, ImportFunction> {
  const { memory, handles, services } = guest
  return {
    // result<future-incoming-response, error-code>: the payload at 8. Errors come through the future.
    handle: (self: number, hasOptions: number, options: number, ret: number) => {
      const request = handles.take(self, OutgoingRequest)
      const times = hasOptions === 0 ? new RequestOptions() : handles.take(options, RequestOptions)
      const { method, scheme = 'https', authority, path = '/', headers } = request
      const body = request.send()
      const controller = new AbortController()
      const response =
        authority === undefined
          ? Promise.reject(new HttpError('HTTP-request-URI-invalid', 'a request without a host'))
          : services.outbound.send(
              {
                method,
                scheme,
                authority,
                path: path === '' ? '/' : path,
                headers: headers.entries,
                body,
                connectTimeoutMs: milliseconds(times.connect),
                firstByteTimeoutMs: milliseconds(times.firstByte),
                betweenBytesTimeoutMs: milliseconds(times.betweenBytes),
                signal: controller.signal,
              },
              guest,
            )
      // Without a receiver the guest must not wait for room in the body.
      response.catch(() => body.cancel())
      memory.setU8(ret, 0)
      memory.setU32(
        ret + 8,
        handles.add(new FutureResponse(response, () => controller.abort(), guest.account)),
      )
    },
  }
}

export function requestOptionsImports({ memory, handles }: Guest): Record<string, ImportFunction> {
  const options = (handle: number) => handles.get(handle, RequestOptions)
  const write = (ret: number, duration: bigint | undefined) => {
    memory.setU8(ret, duration === undefined ? 0 : 1)
    if (duration !== undefined) memory.setU64(ret + 8, duration)
  }
  const read = (present: number, duration: bigint) =>
    present === 0 ? undefined : BigInt.asUintN(64, duration)
  const getter = (key: keyof RequestOptions) => (self: number, ret: number) =>
    write(ret, options(self)[key])
  const setter = (key: keyof RequestOptions) => (self: number, has: number, duration: bigint) => {
    options(self)[key] = read(has, duration)
    return 0
  }
  return {
    '[resource-drop]request-options': (self: number) => handles.drop(self, RequestOptions),
    '[constructor]request-options': () => handles.add(new RequestOptions()),
    '[method]request-options.connect-timeout': getter('connect'),
    '[method]request-options.set-connect-timeout': setter('connect'),
    '[method]request-options.first-byte-timeout': getter('firstByte'),
    '[method]request-options.set-first-byte-timeout': setter('firstByte'),
    '[method]request-options.between-bytes-timeout': getter('betweenBytes'),
    '[method]request-options.set-between-bytes-timeout': setter('betweenBytes'),
  }
}
