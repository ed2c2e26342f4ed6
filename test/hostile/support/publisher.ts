import type { HostileComponent } from './application.ts'
import { built, guest, HANDLE } from './wat.ts'

const HTTP = 'wasi:http/types@0.2.10'
const STREAMS = 'wasi:io/streams@0.2.10'

/** Most bytes of one blocking write. */
const MAX_BYTES = 4096

/** What a {@link publisher} prints for each request it gets. */
export const ASKED = 'asked'

/**
 * A component that answers every request with the same JSON, for example a description of tools. It prints
 * {@link ASKED} for each, so that the host's log tells how often it was asked.
 */
export async function publisher(answer: unknown): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(JSON.stringify(answer))
  if (bytes.length > MAX_BYTES) throw new Error(`an answer may have ${MAX_BYTES} bytes`)
  const data = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('')
  return guest(`(module
    (import "${HTTP}" "[constructor]fields" (func $new-fields (result i32)))
    (import "${HTTP}" "[constructor]outgoing-response" (func $new-response (param i32) (result i32)))
    (import "${HTTP}" "[method]outgoing-response.body" (func $body-of (param i32 i32)))
    (import "${HTTP}" "[method]outgoing-body.write" (func $stream-of (param i32 i32)))
    (import "${HTTP}" "[static]outgoing-body.finish" (func $finish (param i32 i32 i32 i32)))
    (import "${HTTP}" "[static]response-outparam.set"
      (func $set-response (param i32 i32 i32 i32 i64 i32 i32 i32 i32)))
    (import "${STREAMS}" "[method]output-stream.blocking-write-and-flush"
      (func $write (param i32 i32 i32 i32)))
    (import "${STREAMS}" "[resource-drop]output-stream" (func $drop-stream (param i32)))
    (import "wasi:cli/stdout@0.2.10" "get-stdout" (func $stdout (result i32)))
    (memory (export "memory") 2)
    (data (i32.const 512) "${ASKED}\\n")
    (data (i32.const 1024) "${data}")
    (global $next (mut i32) (i32.const 65536))
    (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (local $at i32)
      (local.set $at (global.get $next))
      (global.set $next (i32.add (global.get $next) (i32.and (i32.add (local.get $size) (i32.const 15)) (i32.const -16))))
      (local.get $at))
    (func (export "${HANDLE}") (param $request i32) (param $out i32)
      (local $response i32) (local $body i32) (local $stream i32)
      (local.set $stream (call $stdout))
      (call $write (local.get $stream) (i32.const 512) (i32.const ${ASKED.length + 1}) (i32.const 32))
      (call $drop-stream (local.get $stream))
      (local.set $response (call $new-response (call $new-fields)))
      (call $body-of (local.get $response) (i32.const 16))
      (local.set $body (i32.load (i32.const 20)))
      (call $set-response (local.get $out) (i32.const 0) (local.get $response)
        (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
      (call $stream-of (local.get $body) (i32.const 16))
      (local.set $stream (i32.load (i32.const 20)))
      (call $write (local.get $stream) (i32.const 1024) (i32.const ${bytes.length}) (i32.const 32))
      (call $drop-stream (local.get $stream))
      (call $finish (local.get $body) (i32.const 0) (i32.const 0) (i32.const 32))))`)
}

/** The gateway of this repository over these components, at every path. */
export async function gatewayOver(
  components: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<HostileComponent> {
  return {
    wasm: await built('mcp-gateway'),
    route: '/...',
    allowedHosts: ['http://*.spin.internal'],
    stores: ['default'],
    variables: { tool_components: components.join(','), ...variables },
  }
}

/** Posts a JSON-RPC request to the gateway; reads its answer. */
export async function rpc(url: string, method: string, params: object): Promise<unknown> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return response.json()
}
