/**
 * `wasi:http/types`, the half that writes: responses to clients, requests to servers and their bodies.
 *
 * @module
 */
import { Fields } from './fields.ts'
import type { Guest } from './guest.ts'
import { isHeaderName } from './header-rules.ts'
import { HTTP_ERROR_CODES } from './http-error.ts'
import { readMethod, readScheme, writeMethod, writeScheme } from './http-methods.ts'
import {
  OutgoingBody,
  OutgoingRequest,
  OutgoingResponse,
  ResponseOutparam,
} from './http-resources.ts'
import { OutputStream } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import { Pipe } from './pipe.ts'

/** A `result` without payloads. */
const OK = 0
const ERR = 1

// Control characters and spaces would end the request line.
const PATH = /^[\x21-\x7e\x80-\u{10ffff}]*$/u
const AUTHORITY = /^[A-Za-z0-9\-._~!$&'()*+,;=:[\]%]+$/
const SCHEME = /^[a-z][a-z0-9+\-.]*$/

export function outgoingImports(guest: Guest): Record<string, ImportFunction> {
  const { memory, handles } = guest
  const request = (handle: number) => handles.get(handle, OutgoingRequest)
  const response = (handle: number) => handles.get(handle, OutgoingResponse)
  const give = (ret: number, resource: object | undefined) => {
    memory.setU8(ret, resource === undefined ? ERR : OK)
    if (resource !== undefined) memory.setU32(ret + 4, handles.add(resource))
  }
  const headers = ({ headers }: { headers: Fields }) =>
    handles.add(new Fields(headers.entries, { immutable: true }))
  const optional = (present: number, at: number, size: number) =>
    present === 0 ? undefined : memory.string(at, size)
  const accept = (valid: boolean, apply: () => void) => {
    if (valid) apply()
    return valid ? OK : ERR
  }
  return {
    '[resource-drop]outgoing-request': (self: number) => handles.drop(self, OutgoingRequest),
    '[constructor]outgoing-request': (fields: number) =>
      handles.add(new OutgoingRequest(handles.take(fields, Fields))),
    '[method]outgoing-request.body': (self: number, ret: number) => give(ret, request(self).body()),
    '[method]outgoing-request.method': (self: number, ret: number) =>
      writeMethod(memory, ret, request(self).method),
    '[method]outgoing-request.set-method': (
      self: number,
      tag: number,
      at: number,
      size: number,
    ) => {
      const method = readMethod(memory, tag, at, size)
      return accept(isHeaderName(method), () => (request(self).method = method))
    },
    '[method]outgoing-request.path-with-query': (self: number, ret: number) =>
      memory.setOptionalString(ret, request(self).path),
    '[method]outgoing-request.set-path-with-query': (
      self: number,
      present: number,
      at: number,
      size: number,
    ) => {
      const path = optional(present, at, size)
      return accept(path === undefined || PATH.test(path), () => (request(self).path = path))
    },
    '[method]outgoing-request.scheme': (self: number, ret: number) =>
      writeScheme(memory, ret, request(self).scheme),
    '[method]outgoing-request.set-scheme': (
      self: number,
      present: number,
      tag: number,
      at: number,
      size: number,
    ) => {
      const scheme = present === 0 ? undefined : readScheme(memory, tag, at, size)
      return accept(
        scheme === undefined || SCHEME.test(scheme),
        () => (request(self).scheme = scheme),
      )
    },
    '[method]outgoing-request.authority': (self: number, ret: number) =>
      memory.setOptionalString(ret, request(self).authority),
    '[method]outgoing-request.set-authority': (
      self: number,
      present: number,
      at: number,
      size: number,
    ) => {
      const authority = optional(present, at, size)
      return accept(
        authority === undefined || AUTHORITY.test(authority),
        () => (request(self).authority = authority),
      )
    },
    '[method]outgoing-request.headers': (self: number) => headers(request(self)),

    '[resource-drop]outgoing-response': (self: number) => handles.drop(self, OutgoingResponse),
    '[constructor]outgoing-response': (fields: number) =>
      handles.add(new OutgoingResponse(handles.take(fields, Fields))),
    '[method]outgoing-response.status-code': (self: number) => response(self).status,
    '[method]outgoing-response.set-status-code': (self: number, status: number) =>
      accept(status >= 100 && status <= 999, () => (response(self).status = status)),
    '[method]outgoing-response.headers': (self: number) => headers(response(self)),
    '[method]outgoing-response.body': (self: number, ret: number) =>
      give(ret, response(self).body()),

    '[resource-drop]outgoing-body': (self: number) => handles.drop(self, OutgoingBody),
    '[method]outgoing-body.write': (self: number, ret: number) => {
      const body = handles.get(self, OutgoingBody)
      give(ret, body.streamTaken ? undefined : new OutputStream(body.pipe))
      body.streamTaken = true
    },
    // Trailers are accepted and not sent: HTTP/1 clients rarely ask for them.
    '[static]outgoing-body.finish': (
      self: number,
      hasTrailers: number,
      trailers: number,
      ret: number,
    ) => {
      handles.take(self, OutgoingBody).pipe.end()
      if (hasTrailers !== 0) handles.drop(trailers, Fields)
      memory.setU8(ret, OK)
    },

    '[resource-drop]response-outparam': (self: number) => handles.drop(self, ResponseOutparam),
    // `value` is the response's handle or the tag of the error-code, whose payload is not used.
    '[static]response-outparam.set': (self: number, failed: number, value: number) => {
      const outparam = handles.take(self, ResponseOutparam)
      if (failed === 0) {
        const message = handles.take(value, OutgoingResponse)
        const { status } = message
        outparam.set({ status, headers: message.headers.entries, body: message.send() })
        return
      }
      guest.services.log('stderr', `answered with the error ${HTTP_ERROR_CODES[value]}`)
      outparam.set({ status: 500, headers: [], body: Pipe.empty() })
    },
  }
}
