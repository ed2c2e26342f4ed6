// A process has some thousand file descriptors for everything, connections of clients included.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attack } from './support/attack.ts'
import { startHostile, writeApplication } from './support/application.ts'
import { guestThat } from './support/wat.ts'

const IMPORTS = `
  (import "wasi:filesystem/preopens@0.2.10" "get-directories" (func $directories (param i32)))
  (import "wasi:filesystem/types@0.2.10" "[method]descriptor.open-at"
    (func $open (param i32 i32 i32 i32 i32 i32 i32)))
  (import "wasi:filesystem/types@0.2.10" "[resource-drop]descriptor" (func $drop (param i32)))
  (import "wasi:filesystem/types@0.2.10" "[method]descriptor.read"
    (func $read (param i32 i64 i64 i32)))
  (import "wasi:clocks/monotonic-clock@0.2.10" "subscribe-duration"
    (func $sleep (param i64) (result i32)))
  (import "wasi:io/poll@0.2.10" "[method]pollable.block" (func $block (param i32)))`

/** The index of `insufficient-memory` in `wasi:filesystem/types.error-code`. */
const INSUFFICIENT_MEMORY = 22

/** Opens and reads one file until that fails, keeps all it has for a second, and checks the error. An answer needs handles. */
const opener = () =>
  guestThat(
    `(i32.store (i32.const 256) (call $sleep (i64.const 1000000000)))
     (call $directories (i32.const 0))
     (local.set $i (i32.load (i32.load (i32.const 0))))
     (block $failed (loop $again
       (call $open (local.get $i) (i32.const 0) (i32.const 64) (i32.const 5) (i32.const 0) (i32.const 1)
         (i32.const 32))
       (br_if $failed (i32.load8_u (i32.const 32)))
       (local.set $j (i32.load (i32.const 36)))
       (call $read (i32.load (i32.const 36)) (i64.const 1) (i64.const 0) (i32.const 128))
       (br_if $failed (i32.load8_u (i32.const 128)))
       (br $again)))
     (call $block (i32.load (i32.const 256)))
     (if (i32.ne (i32.load8_u (i32.const 36)) (i32.const ${INSUFFICIENT_MEMORY})) (then unreachable))
     (call $drop (local.get $j))
     (call $drop (i32.sub (local.get $j) (i32.const 1)))`,
    { imports: IMPORTS, more: '(data (i32.const 64) "a.txt")' },
  )

const descriptors = () => readdirSync('/proc/self/fd').length

attack('opens one file in a loop', async () => {
  const files = await writeApplication({})
  mkdirSync(join(files.folder, 'assets'))
  writeFileSync(join(files.folder, 'assets/a.txt'), 'a')
  const mount = `files = [{ source = "${join(files.folder, 'assets')}", destination = "/" }]`
  const host = await startHostile(
    {
      opener: { wasm: await opener(), more: mount },
      good: { wasm: await guestThat('') },
    },
    { maxHostMemory: 4 * 1024 * 1024 },
  )
  try {
    const before = descriptors()
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, descriptors())), 20)
    const attacks = ['/opener/', '/opener/'].map((path) => fetch(host.url + path))
    await new Promise((wake) => setTimeout(wake, 500))
    expect((await fetch(`${host.url}/good/`)).status).toBe(200)
    const statuses = (await Promise.all(attacks)).map(({ status }) => status)
    clearInterval(watch)
    expect(host.errors).toEqual([])
    expect(statuses).toEqual([200, 200])
    expect(most - before).toBeLessThan(500)
    return `open-at answers insufficient-memory; ${most - before} descriptors more at most`
  } finally {
    await host.close()
    await files.remove()
  }
})
