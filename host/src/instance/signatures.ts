/**
 * The core type of every function the host offers, by interface and type.
 *
 * A component declares the types of its imports. The host links a function only if the declared type equals the one in this
 * table, so that it is never called with values of another type. A test compares the table with the WIT of the
 * interfaces.
 */
import { withoutVersion } from './interfaces.ts'

/** `i` i32, `I` i64: parameters before the colon, results behind it. Names are separated by spaces. */
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'wasi:cli/stdin': {
    ':i': 'get-stdin',
  },
  'wasi:cli/stdout': {
    ':i': 'get-stdout',
  },
  'wasi:cli/stderr': {
    ':i': 'get-stderr',
  },
  'wasi:cli/exit': {
    'i:': 'exit exit-with-code',
  },
  'wasi:cli/terminal-stdin': {
    'i:': 'get-terminal-stdin',
  },
  'wasi:cli/terminal-stdout': {
    'i:': 'get-terminal-stdout',
  },
  'wasi:cli/terminal-stderr': {
    'i:': 'get-terminal-stderr',
  },
  'wasi:sockets/instance-network': {
    ':i': 'instance-network',
  },
  'wasi:sockets/tcp-create-socket': {
    'ii:': 'create-tcp-socket',
  },
  'wasi:sockets/udp-create-socket': {
    'ii:': 'create-udp-socket',
  },
  'wasi:sockets/ip-name-lookup': {
    'iiii:': 'resolve-addresses',
  },
  'wasi:random/insecure': {
    ':I': 'get-insecure-random-u64',
    'Ii:': 'get-insecure-random-bytes',
  },
  'wasi:random/insecure-seed': {
    'i:': 'insecure-seed',
  },
  'wasi:io/error': {
    'ii:': '[method]error.to-debug-string',
  },
  'wasi:io/poll': {
    'i:': '[method]pollable.block',
    'i:i': '[method]pollable.ready',
    'iii:': 'poll',
  },
  'wasi:io/streams': {
    'i:i': '[method]input-stream.subscribe [method]output-stream.subscribe',
    'iIi:':
      '[method]input-stream.read [method]input-stream.blocking-read [method]input-stream.skip [method]input-stream.blocking-skip [method]output-stream.write-zeroes [method]output-stream.blocking-write-zeroes-and-flush',
    'ii:':
      '[method]output-stream.check-write [method]output-stream.flush [method]output-stream.blocking-flush',
    'iiIi:': '[method]output-stream.splice [method]output-stream.blocking-splice',
    'iiii:': '[method]output-stream.write [method]output-stream.blocking-write-and-flush',
  },
  'wasi:clocks/monotonic-clock': {
    ':I': 'now resolution',
    'I:i': 'subscribe-instant subscribe-duration',
  },
  'wasi:clocks/wall-clock': {
    'i:': 'now resolution',
  },
  'wasi:random/random': {
    ':I': 'get-random-u64',
    'Ii:': 'get-random-bytes',
  },
  'wasi:cli/environment': {
    'i:': 'get-environment get-arguments initial-cwd',
  },
  'wasi:http/types': {
    ':i': '[constructor]fields [constructor]request-options',
    'i:i':
      '[method]fields.clone [method]incoming-request.headers [method]incoming-response.status [method]incoming-response.headers [static]incoming-body.finish [method]future-trailers.subscribe [method]future-incoming-response.subscribe [constructor]outgoing-request [method]outgoing-request.headers [constructor]outgoing-response [method]outgoing-response.status-code [method]outgoing-response.headers',
    'ii:':
      '[method]fields.entries [method]incoming-request.method [method]incoming-request.path-with-query [method]incoming-request.scheme [method]incoming-request.authority [method]incoming-request.consume [method]incoming-response.consume [method]incoming-body.stream [method]future-trailers.get [method]future-incoming-response.get [method]outgoing-request.body [method]outgoing-request.method [method]outgoing-request.path-with-query [method]outgoing-request.scheme [method]outgoing-request.authority [method]outgoing-response.body [method]outgoing-body.write [method]request-options.connect-timeout [method]request-options.first-byte-timeout [method]request-options.between-bytes-timeout http-error-code',
    'ii:i': '[method]outgoing-response.set-status-code',
    'iiI:i':
      '[method]request-options.set-connect-timeout [method]request-options.set-first-byte-timeout [method]request-options.set-between-bytes-timeout',
    'iii:': '[static]fields.from-list',
    'iii:i': '[method]fields.has',
    'iiii:': '[method]fields.get [method]fields.delete [static]outgoing-body.finish',
    'iiii:i':
      '[method]outgoing-request.set-method [method]outgoing-request.set-path-with-query [method]outgoing-request.set-authority',
    'iiiiIiiii:': '[static]response-outparam.set',
    'iiiii:i': '[method]outgoing-request.set-scheme',
    'iiiiii:': '[method]fields.set [method]fields.append',
  },
  'wasi:http/outgoing-handler': {
    'iiii:': 'handle',
  },
  'wasi:filesystem/types': {
    'iIIi:': '[method]descriptor.read',
    'iIIii:': '[method]descriptor.advise',
    'iIi:':
      '[method]descriptor.write-via-stream [method]descriptor.set-size [method]descriptor.read-via-stream',
    'ii:':
      '[method]descriptor.append-via-stream filesystem-error-code [method]descriptor.sync [method]descriptor.sync-data [method]descriptor.get-flags [method]descriptor.get-type [method]descriptor.read-directory [method]descriptor.stat [method]descriptor.metadata-hash [method]directory-entry-stream.read-directory-entry',
    'ii:i': '[method]descriptor.is-same-object',
    'iiIiiIii:': '[method]descriptor.set-times',
    'iiiIi:': '[method]descriptor.write',
    'iiii:':
      '[method]descriptor.create-directory-at [method]descriptor.remove-directory-at [method]descriptor.unlink-file-at [method]descriptor.readlink-at',
    'iiiii:': '[method]descriptor.stat-at [method]descriptor.metadata-hash-at',
    'iiiiiIiiIii:': '[method]descriptor.set-times-at',
    'iiiiii:': '[method]descriptor.symlink-at',
    'iiiiiii:': '[method]descriptor.rename-at [method]descriptor.open-at',
    'iiiiiiii:': '[method]descriptor.link-at',
  },
  'wasi:filesystem/preopens': {
    'i:': 'get-directories',
  },
  'fermyon:spin/key-value': {
    'ii:': '[method]store.get-keys',
    'iii:': '[static]store.open',
    'iiii:': '[method]store.get [method]store.delete [method]store.exists',
    'iiiiii:': '[method]store.set',
  },
  'fermyon:spin/variables': {
    'iii:': 'get',
  },
  wasi_snapshot_preview1: {
    'i:': 'proc_exit',
    'i:i': 'fd_close',
    'iIi:i': 'clock_time_get',
    'iIii:i': 'fd_seek',
    'ii:i':
      'fd_fdstat_get clock_res_get args_sizes_get args_get environ_sizes_get environ_get fd_fdstat_set_flags fd_prestat_get random_get',
    'iii:i': 'fd_prestat_dir_name path_remove_directory path_unlink_file',
    'iiiIi:i': 'fd_readdir',
    'iiii:i': 'fd_write fd_read',
    'iiiii:i': 'path_filestat_get',
    'iiiiiIIii:i': 'path_open',
  },
}

const SIGNATURES: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(TYPES).map(([from, types]) => [
    from,
    new Map(
      Object.entries(types).flatMap(([signature, names]) =>
        names.split(' ').map((name): [string, string] => [name, signature]),
      ),
    ),
  ]),
)

const DROP = /^\[resource-drop\]/

/** @returns `undefined` when the host does not have the function; it traps when it is called then. */
export function signatureOf(from: string, name: string): string | undefined {
  if (DROP.test(name)) return 'i:'
  return SIGNATURES.get(withoutVersion(from))?.get(name)
}
