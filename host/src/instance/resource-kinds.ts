/** What a handle of each of the host's resource types stands for. */
import { Descriptor, DirectoryStream } from './descriptor.ts'
import { Fields } from './fields.ts'
import type { Kind } from './handles.ts'
import * as http from './http-resources.ts'
import { withoutVersion } from './interfaces.ts'
import { InputStream, IoError, OutputStream, PollHandle } from './io.ts'
import { Store } from './key-value-imports.ts'
import { Network } from './sockets.ts'

const KINDS: ReadonlyMap<string, Kind<object>> = new Map<string, Kind<object>>([
  ['wasi:io/error error', IoError],
  ['wasi:io/poll pollable', PollHandle],
  ['wasi:io/streams input-stream', InputStream],
  ['wasi:io/streams output-stream', OutputStream],
  ['wasi:filesystem/types descriptor', Descriptor],
  ['wasi:filesystem/types directory-entry-stream', DirectoryStream],
  ['wasi:sockets/network network', Network],
  ['wasi:http/types fields', Fields],
  ['wasi:http/types incoming-request', http.IncomingRequest],
  ['wasi:http/types incoming-response', http.IncomingResponse],
  ['wasi:http/types incoming-body', http.IncomingBody],
  ['wasi:http/types future-trailers', http.FutureTrailers],
  ['wasi:http/types future-incoming-response', http.FutureResponse],
  ['wasi:http/types outgoing-request', http.OutgoingRequest],
  ['wasi:http/types outgoing-response', http.OutgoingResponse],
  ['wasi:http/types outgoing-body', http.OutgoingBody],
  ['wasi:http/types request-options', http.RequestOptions],
  ['wasi:http/types response-outparam', http.ResponseOutparam],
  ['fermyon:spin/key-value store', Store],
])

/** Of a resource no function of the host ever makes. */
class Unknown {
  declare readonly unknown: never
}

/** @param from the interface, with its version. */
export const kindOfResource = (from: string, name: string): Kind<object> =>
  KINDS.get(`${withoutVersion(from)} ${name}`) ?? Unknown
