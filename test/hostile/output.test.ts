// What a component prints ends up on the operator's terminal and disk.
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { componentOutput } from '../../cli/src/output/component-output.ts'
import { logLines } from '../../cli/src/output/log-lines.ts'
import { attack } from './support/attack.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { guestThat } from './support/wat.ts'

const IMPORTS = `
  (import "wasi:cli/stdout@0.2.10" "get-stdout" (func $stdout (result i32)))
  (import "wasi:io/streams@0.2.10" "[method]output-stream.blocking-write-and-flush"
    (func $print (param i32 i32 i32 i32)))`

/** Writes `size` bytes of its memory `times` times; the text comes first. */
const printing = (text: string, size: number, times = 1) =>
  guestThat(
    `(memory.fill (i32.const 1024) (i32.const 10) (i32.const 900000))
     (local.set $j (call $stdout))
     (loop $again
       (call $print (local.get $j) (i32.const 512) (i32.const ${size}) (i32.const 16))
       (br_if $again (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const ${times}))))`,
    { imports: IMPORTS, more: `(data (i32.const 512) ${JSON.stringify(text)})` },
  )

const LONG = 'x'.repeat(400)
const KIB = 1024

async function serving<T>(
  wasm: Uint8Array,
  options: Parameters<typeof startHostile>[1],
  run: (host: RunningApplication) => Promise<T>,
): Promise<T> {
  const host = await startHostile({ printer: { wasm } }, options)
  try {
    return await run(host)
  } finally {
    await host.close()
  }
}

const bytesOf = ({ logs }: RunningApplication) =>
  logs.reduce((sum, { line }) => sum + line.length, 0)

attack('prints 90 MB of empty and long lines in one request', async () => {
  const wasm = await printing(LONG, 900_000, 100)
  return serving(wasm, {}, async (host) => {
    expect((await fetch(`${host.url}/printer/`)).status).toBe(200)
    expect(bytesOf(host)).toBeLessThan(1024 * KIB + 1000)
    expect(host.logs.length).toBeLessThan(40_000)
    // While this thread is busy, the end of the lines is dropped too; the next line that is not dropped reports that.
    const notice = () => host.logs.find(({ line }) => line.includes('dropped'))?.line
    await expect
      .poll(
        async () => {
          if (notice() === undefined) await (await fetch(`${host.url}/printer/`)).text()
          return notice()
        },
        { timeout: 10_000, interval: 200 },
      )
      .toMatch(/^(… output of this request beyond 1024 KiB was|\d+ lines were) dropped/)
    return notice() ?? ''
  })
})

attack('prints a little in each of 100 requests', async () => {
  const wasm = await printing(LONG, 60 * KIB)
  const limits = { maxOutputBytes: 64 * KIB, maxOutputRate: 100 * KIB }
  return serving(wasm, limits, async (host) => {
    for (let i = 0; i < 100; i += 10) {
      const some = Array.from({ length: 10 }, () => fetch(`${host.url}/printer/`))
      for (const { status } of await Promise.all(some)) expect(status).toBe(200)
    }
    const dropped = () => host.logs.find(({ line }) => line.includes('lines were dropped'))?.line
    // The next line that is not dropped causes the report of the dropped ones.
    await new Promise((wake) => setTimeout(wake, 1500))
    for (let i = 0; i < 10; i++) await (await fetch(`${host.url}/printer/`)).text()
    expect(dropped()).toMatch(/^\d+ lines were dropped: they came too fast$/)
    return dropped() ?? ''
  })
})

const COMMANDS = '\x1b]52;c;aGk=\x07\x1b[2J\x1b[31mforged\r[good] all is well\u202e'

attack("prints commands of the operator's terminal", async () => {
  const escaped = [...Buffer.from(`${COMMANDS}\n`)].map((byte) => `\\${hex(byte)}`).join('')
  const wasm = await guestThat(
    `(call $print (call $stdout) (i32.const 512) (i32.const ${Buffer.byteLength(COMMANDS) + 1}) (i32.const 16))`,
    { imports: IMPORTS, more: `(data (i32.const 512) "${escaped}")` },
  )
  const logDir = mkdtempSync(join(tmpdir(), 'ftl-log-'))
  const shown: string[] = []
  const print = (text: string) => shown.push(text)
  const people = componentOutput({ components: ['printer'], logDir, print })
  const programs = componentOutput({
    components: ['printer'],
    print,
    format: logLines('json').output,
  })
  return serving(wasm, {}, async (host) => {
    expect((await fetch(`${host.url}/printer/`)).status).toBe(200)
    expect(host.logs).toHaveLength(1)
    for (const entry of host.logs) {
      people(entry)
      programs(entry)
    }
    const file = join(logDir, 'printer_stdout.txt')
    expect(statSync(file).size).toBeGreaterThan(COMMANDS.length)
    for (const text of [...shown, readFileSync(file, 'utf8').trimEnd()]) {
      // What paints the component's name is ours.
      const own = text.replace(/^\x1b\[\d+m\[printer\]\x1b\[\d+m/, '')
      expect(own).toMatch(/^[\x20-\x7e]+$/)
      expect(own).toContain('forged')
    }
    return 'the terminal, the file and the JSON line show \\x1b'
  })
})

attack('asks for a path that ends the line and begins another', () => {
  const entry = {
    method: 'GET',
    path: '/a\x9b2J\u2028[good] fine',
    components: ['good'],
    status: 200,
    milliseconds: 1,
    bytes: 0,
    outcome: 'done' as const,
    client: '127.0.0.1',
  }
  const line = logLines('plain').request(entry as never)
  expect(line).toContain('/a\\x9b2J\\u2028[good] fine')
  return Promise.resolve('the request line shows \\x9b and \\u2028')
})

const hex = (byte: number) => byte.toString(16).padStart(2, '0')
