// Components that each do one harmful thing for every request, for tests and for the mixed load of the soak.
import type { HostileComponent } from './application.ts'
import { built, guestThat } from './wat.ts'

/** What a guest of the list needs to know of the machine. */
export interface GuestContext {
  /** `host:port` of a server that takes connections and never answers. */
  silentServer: string
}

export interface HostileGuest {
  /** What it does, in a few words. */
  does: string
  /** Paths below `/{id}` that are called in turns. @default '/' alone */
  paths?: readonly string[]
  /**
   * It takes a thread until the watchdog ends it, or much of that time.
   *
   * Such guests take turns under the mixed load, because a machine has only so many cores to take.
   */
  computes?: true
  component: (context: GuestContext) => Promise<HostileComponent>
}

const HTTP = 'wasi:http/types@0.2.10'
const imported = (module: string, name: string, type: string) =>
  `(import "${module}" "${name}" (func $${name.replace(/[^a-z-]+/g, '.')} ${type}))`

const BODY = [
  imported(HTTP, '[method]outgoing-response.body', '(param i32 i32)'),
  imported(HTTP, '[method]outgoing-body.write', '(param i32 i32)'),
  imported(
    'wasi:io/streams@0.2.10',
    '[method]output-stream.blocking-write-and-flush',
    '(param i32 i32 i32 i32)',
  ),
].join('\n')

const SEND = [
  imported(HTTP, '[constructor]outgoing-request', '(param i32) (result i32)'),
  imported(HTTP, '[method]outgoing-request.set-authority', '(param i32 i32 i32 i32) (result i32)'),
  imported(HTTP, '[method]outgoing-request.set-scheme', '(param i32 i32 i32 i32 i32) (result i32)'),
  imported(HTTP, '[method]future-incoming-response.subscribe', '(param i32) (result i32)'),
  imported('wasi:io/poll@0.2.10', '[method]pollable.block', '(param i32)'),
  imported('wasi:http/outgoing-handler@0.2.10', 'handle', '(param i32 i32 i32 i32)'),
].join('\n')

/** Sends a GET to the authority and waits for the head of the response. */
async function sendsTo(authority: string): Promise<Uint8Array> {
  return guestThat(
    `(local.set $i (call $.constructor.outgoing-request (call $new-fields)))
     (drop (call $.method.outgoing-request.set-scheme
       (local.get $i) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0)))
     (drop (call $.method.outgoing-request.set-authority
       (local.get $i) (i32.const 1) (i32.const 1024) (i32.const ${authority.length})))
     (call $handle (local.get $i) (i32.const 0) (i32.const 0) (i32.const 16))
     (if (i32.eqz (i32.load8_u (i32.const 16))) (then
       (call $.method.pollable.block
         (call $.method.future-incoming-response.subscribe (i32.load (i32.const 24))))))`,
    { imports: SEND, more: `(data (i32.const 1024) "${authority}")` },
  )
}

/** The instructions without an end, or so many times. */
const forever = (body = '') => `(loop $again ${body} (br $again))`
const times = (count: number, body: string) =>
  `(loop $again ${body}
     (local.set $i (i32.add (local.get $i) (i32.const 1)))
     (br_if $again (i32.lt_u (local.get $i) (i32.const ${count}))))`

const wat = (body: string, options?: { imports?: string; more?: string }) => async () => ({
  wasm: await guestThat(body, options),
})

/** A guest of the fixture in JavaScript, where the engine of the toolchain is what misbehaves. */
const script =
  (more: Partial<HostileComponent> = {}) =>
  async () => ({ wasm: await built('test/hostile/hostile'), stores: ['default'], ...more })

/** By the component's id. */
export const HOSTILE_GUESTS: Readonly<Record<string, HostileGuest>> = {
  'busy-loop': { does: 'computes without an end', computes: true, component: wat(forever()) },
  'runs-on': {
    does: 'answers, then computes without an end',
    computes: true,
    component: wat(`(call $answer (local.get $out)) ${forever()}`),
  },
  grows: {
    does: 'takes and fills all the memory it can get',
    computes: true,
    component: wat(
      `(block $full (loop $again
         (br_if $full (i32.eq (local.tee $i (memory.grow (i32.const 16))) (i32.const -1)))
         (memory.fill (i32.shl (local.get $i) (i32.const 16)) (i32.const 1) (i32.const 1048576))
         (br $again)))`,
    ),
  },
  traps: { does: 'traps', component: wat('(unreachable)') },
  'deep-stack': {
    does: 'calls itself until the stack is full',
    computes: true,
    component: wat('(call $deeper)', { more: '(func $deeper (call $deeper) (call $deeper))' }),
  },
  'header-flood': {
    does: 'answers with 20,000 headers',
    computes: true,
    component: wat(
      `(local.set $j (call $new-fields))
       ${times(20_000, '(call $.method.fields.append (local.get $j) (i32.const 1024) (i32.const 1) (i32.const 1025) (i32.const 60) (i32.const 16))')}
       (call $set-response (local.get $out) (i32.const 0) (call $new-response (local.get $j))
         (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
       (return)`,
      {
        imports: imported(HTTP, '[method]fields.append', '(param i32 i32 i32 i32 i32 i32)'),
        more: `(data (i32.const 1024) "a${'b'.repeat(60)}")`,
      },
    ),
  },
  'handle-flood': {
    does: 'opens 200,000 handles and drops none',
    computes: true,
    component: wat(times(200_000, '(drop (call $new-fields))')),
  },
  'file-flood': {
    does: 'opens one mounted file 20,000 times',
    computes: true,
    component: async () => ({
      wasm: await guestThat(
        `(call $get-directories (i32.const 16))
         (local.set $j (i32.load (i32.load (i32.const 16))))
         ${times(20_000, `(call $.method.descriptor.open-at (local.get $j) (i32.const 0) (i32.const 1024) (i32.const 10) (i32.const 0) (i32.const 1) (i32.const 32))`)}`,
        {
          imports: [
            imported('wasi:filesystem/preopens@0.2.10', 'get-directories', '(param i32)'),
            imported(
              'wasi:filesystem/types@0.2.10',
              '[method]descriptor.open-at',
              '(param i32 i32 i32 i32 i32 i32 i32)',
            ),
          ].join('\n'),
          more: '(data (i32.const 1024) "traps.wasm")',
        },
      ),
      more: 'files = [{ source = "dist", destination = "/files" }]',
    }),
  },
  'key-value-flood': {
    does: 'writes 2,000 entries of 1 KB',
    computes: true,
    component: async () => ({
      wasm: await guestThat(
        `(call $.static.store.open (i32.const 1024) (i32.const 7) (i32.const 16))
         (local.set $j (i32.load (i32.const 20)))
         ${times(
           2000,
           `(i32.store (i32.const 2048) (i32.add (i32.const 0x30303030) (local.get $i)))
            (i32.store (i32.const 2048) (i32.or (i32.const 0x40404040)
              (i32.or (i32.and (local.get $i) (i32.const 31))
                (i32.shl (i32.and (local.get $i) (i32.const 2016)) (i32.const 3)))))
            (call $.method.store.set (local.get $j) (i32.const 2048) (i32.const 4)
              (i32.const 4096) (i32.const 1024) (i32.const 32))`,
         )}`,
        {
          imports: [
            imported('fermyon:spin/key-value@2.0.0', '[static]store.open', '(param i32 i32 i32)'),
            imported(
              'fermyon:spin/key-value@2.0.0',
              '[method]store.set',
              '(param i32 i32 i32 i32 i32 i32)',
            ),
          ].join('\n'),
          more: '(data (i32.const 1024) "default")',
        },
      ),
      stores: ['default'],
    }),
  },
  'never-answers': {
    does: 'waits for an hour',
    component: wat(
      '(call $.method.pollable.block (call $subscribe-duration (i64.const 3600000000000)))',
      {
        imports: [
          imported(
            'wasi:clocks/monotonic-clock@0.2.10',
            'subscribe-duration',
            '(param i64) (result i32)',
          ),
          imported('wasi:io/poll@0.2.10', '[method]pollable.block', '(param i32)'),
        ].join('\n'),
      },
    ),
  },
  'huge-body': {
    does: 'answers with 64 MB',
    component: wat(
      `(local.set $j (call $new-response (call $new-fields)))
       (call $.method.outgoing-response.body (local.get $j) (i32.const 16))
       (call $.method.outgoing-body.write (i32.load (i32.const 20)) (i32.const 32))
       (call $set-response (local.get $out) (i32.const 0) (local.get $j)
         (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
       ${times(16_384, '(call $.method.output-stream.blocking-write-and-flush (i32.load (i32.const 36)) (i32.const 8192) (i32.const 4096) (i32.const 48))')}
       (return)`,
      { imports: BODY },
    ),
  },
  circle: {
    does: 'calls itself over HTTP without an end',
    component: async () => ({
      wasm: await sendsTo('circle.spin.internal'),
      allowedHosts: ['http://circle.spin.internal'],
    }),
  },
  'asks-nothing': {
    does: 'calls a component that does not exist',
    component: async () => ({
      wasm: await sendsTo('nothing.spin.internal'),
      allowedHosts: ['http://*.spin.internal'],
    }),
  },
  'hanging-upstream': {
    does: 'sends a request to a server that never answers',
    component: async ({ silentServer }) => ({
      wasm: await sendsTo(silentServer),
      allowedHosts: [`http://${silentServer}`],
    }),
  },
  script: {
    does: 'throws, traps, hangs, breaks off, floods or goes on after its answer, in JavaScript',
    paths: ['throw', 'trap', 'hang', 'half', 'short', 'flood', 'late'].map((end) => `/?end=${end}`),
    component: script(),
  },
  greedy: {
    does: 'eats its heap, its stack or the memory of the native part, in JavaScript',
    paths: ['/?end=greedy', '/?end=recurse', '/?end=greedy+natively'],
    computes: true,
    component: script(),
  },
  'native-loop': {
    does: 'computes for seconds in one native call, or in jobs that beget jobs after its answer',
    paths: ['/?end=spin+natively', '/?end=jobs'],
    computes: true,
    component: script(),
  },
  prints: {
    does: 'prints without an end',
    paths: ['/?end=print'],
    computes: true,
    component: script(),
  },
}
