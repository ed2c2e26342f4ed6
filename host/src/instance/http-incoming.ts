/** `wasi:http/types`, the half that reads: requests of clients, responses of servers and their bodies. */
import { Fields } from './fields.ts'
import type { Guest } from './guest.ts'
import { HANDLE_BYTES } from './handles.ts'
import { HttpError } from '../http/http-error.ts'
import { writeErrorCode } from './error-code.ts'
import { writeMethod, writeScheme } from './http-methods.ts'
import {
  FutureResponse,
  FutureTrailers,
  IncomingBody,
  IncomingRequest,
  IncomingResponse,
} from './http-resources.ts'
import { InputStream, PollHandle } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import { ALWAYS_READY } from '../http/wake-signal.ts'

export function incomingImports({ memory, handles }: Guest): Record<string, ImportFunction> {
  const request = (handle: number) => handles.get(handle, IncomingRequest).message
  const response = (handle: number) => handles.get(handle, IncomingResponse).message
  // result<own>: a second attempt is the error.
  const give = (ret: number, resource: object | undefined) => {
    memory.setU8(ret, resource === undefined ? 1 : 0)
    if (resource !== undefined) memory.setU32(ret + 4, handles.add(resource))
  }
  const headers = ({ message: { headers }, bytes }: IncomingRequest | IncomingResponse) =>
    handles.add(new Fields(headers, { immutable: true, bytes }))
  return {
    '[resource-drop]incoming-request': (self: number) => handles.drop(self, IncomingRequest),
    '[method]incoming-request.method': (self: number, ret: number) =>
      writeMethod(memory, ret, request(self).method),
    '[method]incoming-request.path-with-query': (self: number, ret: number) =>
      memory.setOptionalString(ret, request(self).path),
    '[method]incoming-request.scheme': (self: number, ret: number) =>
      writeScheme(memory, ret, request(self).scheme),
    '[method]incoming-request.authority': (self: number, ret: number) =>
      memory.setOptionalString(ret, request(self).authority),
    '[method]incoming-request.headers': (self: number) =>
      headers(handles.get(self, IncomingRequest)),
    '[method]incoming-request.consume': (self: number, ret: number) =>
      give(ret, handles.get(self, IncomingRequest).consume()),

    '[resource-drop]incoming-response': (self: number) => handles.drop(self, IncomingResponse),
    '[method]incoming-response.status': (self: number) => response(self).status,
    '[method]incoming-response.headers': (self: number) =>
      headers(handles.get(self, IncomingResponse)),
    '[method]incoming-response.consume': (self: number, ret: number) =>
      give(ret, handles.get(self, IncomingResponse).consume()),

    '[resource-drop]incoming-body': (self: number) => handles.drop(self, IncomingBody),
    '[method]incoming-body.stream': (self: number, ret: number) => {
      const body = handles.get(self, IncomingBody)
      give(ret, body.streamTaken ? undefined : new InputStream(body.pipe))
      body.streamTaken = true
    },
    '[static]incoming-body.finish': (self: number) => {
      handles.drop(self, IncomingBody)
      return handles.add(new FutureTrailers())
    },

    '[resource-drop]future-trailers': (self: number) => handles.drop(self, FutureTrailers),
    '[method]future-trailers.subscribe': (self: number) => {
      handles.get(self, FutureTrailers)
      return handles.add(new PollHandle(ALWAYS_READY))
    },
    // option<result<result<option<trailers>, error-code>>>: tags at 0, 8, 16, the inner option at 24.
    '[method]future-trailers.get': (self: number, ret: number) => {
      const trailers = handles.get(self, FutureTrailers)
      memory.setU8(ret, 1)
      memory.setU8(ret + 8, trailers.taken ? 1 : 0)
      memory.setU8(ret + 16, 0)
      memory.setU8(ret + 24, 0)
      trailers.taken = true
    },

    '[resource-drop]future-incoming-response': (self: number) => handles.drop(self, FutureResponse),
    '[method]future-incoming-response.subscribe': (self: number) =>
      handles.add(new PollHandle(handles.get(self, FutureResponse), HANDLE_BYTES)),
    // option<result<result<incoming-response, error-code>>>: tags at 0, 8, 16, the payload at 24.
    '[method]future-incoming-response.get': (self: number, ret: number) => {
      const future = handles.get(self, FutureResponse)
      const { outcome } = future
      memory.setU8(ret, outcome === undefined ? 0 : 1)
      if (outcome === undefined) return
      memory.setU8(ret + 8, future.taken ? 1 : 0)
      if (future.taken) return
      future.taken = true
      handles.resize(future, 0, 'responses')
      memory.setU8(ret + 16, outcome instanceof HttpError ? 1 : 0)
      if (outcome instanceof HttpError) writeErrorCode(memory, ret + 24, outcome.code)
      else memory.setU32(ret + 24, handles.add(new IncomingResponse(outcome)))
    },
  }
}
