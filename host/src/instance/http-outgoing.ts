/** `wasi:http/types`, the half that writes: responses to clients, requests to servers and their bodies. */
import { Fields } from './fields.ts'
import type { Guest } from './guest.ts'
import { isHeaderName } from '../http/header-rules.ts'
import { HTTP_ERROR_CODES } from '../http/http-error.ts'
import { readMethod, readScheme, writeMethod, writeScheme } from './http-methods.ts'
import {
  OutgoingBody,
  OutgoingRequest,
  OutgoingResponse,
  ResponseOutparam,
} from './http-resources.ts'
import { OutputStream } from './io.ts'
import type { ImportFunction } from './jspi.ts'
import { Pipe } from '../http/pipe.ts'

/** A `result` without payloads. */
const OK = 0
const ERR = 1

/** Bytes of a request's path with its query. Servers accept 8 to 16 KiB as a rule. */
const MAX_PATH = 64 * 1024
/** Of its method, its scheme or its authority. A DNS name has at most 253. */
const MAX_NAME = 1024

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
    handles.add(new Fields(headers.entries, { immutable: true, bytes: headers.bytes }))
  const accept = (valid: boolean, apply: () => void) => {
    if (valid) apply()
    return valid ? OK : ERR
  }
  // Reads one byte more than the limit: enough to refuse a text that is too long. It may be a guest's whole memory.
  const short = (size: number) => Math.min(size, MAX_NAME + 1)
  const isShort = (text: string) => text.length <= MAX_NAME
  /** The request, charged for a text of its head that will be replaced. */
  const charged = (
    self: number,
    key: 'method' | 'path' | 'scheme' | 'authority',
    text: string | undefined,
  ) => {
    const target = request(self)
    const more = (text?.length ?? 0) - (target[key]?.length ?? 0)
    handles.resize(target, target.bytes + more, 'heads of requests')
    return target
  }
  return {
    '[resource-drop]outgoing-request': (self: number) => handles.drop(self, OutgoingRequest),
    '[constructor]outgoing-request': (fields: number) =>
      handles.add(new OutgoingRequest(handles.take(fields, Fields), guest.account)),
    '[method]outgoing-request.body': (self: number, ret: number) => give(ret, request(self).body()),
    '[method]outgoing-request.method': (self: number, ret: number) =>
      writeMethod(memory, ret, request(self).method),
    '[method]outgoing-request.set-method': (
      self: number,
      tag: number,
      at: number,
      size: number,
    ) => {
      const method = readMethod(memory, tag, at, short(size))
      return accept(
        isShort(method) && isHeaderName(method),
        () => (charged(self, 'method', method).method = method),
      )
    },
    '[method]outgoing-request.path-with-query': (self: number, ret: number) =>
      memory.setOptionalString(ret, request(self).path),
    '[method]outgoing-request.set-path-with-query': (
      self: number,
      present: number,
      at: number,
      size: number,
    ) => {
      if (present !== 0 && size > MAX_PATH) return ERR
      const path = present === 0 ? undefined : memory.string(at, size)
      return accept(
        path === undefined || PATH.test(path),
        () => (charged(self, 'path', path).path = path),
      )
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
      const scheme = present === 0 ? undefined : readScheme(memory, tag, at, short(size))
      return accept(
        scheme === undefined || (isShort(scheme) && SCHEME.test(scheme)),
        () => (charged(self, 'scheme', scheme).scheme = scheme),
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
      const authority = present === 0 ? undefined : memory.string(at, short(size))
      return accept(
        authority === undefined || (isShort(authority) && AUTHORITY.test(authority)),
        () => (charged(self, 'authority', authority).authority = authority),
      )
    },
    '[method]outgoing-request.headers': (self: number) => headers(request(self)),

    '[resource-drop]outgoing-response': (self: number) => handles.drop(self, OutgoingResponse),
    '[constructor]outgoing-response': (fields: number) =>
      handles.add(new OutgoingResponse(handles.take(fields, Fields), guest.account)),
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
