import { expect, test } from 'vitest'
import { GuestOutput } from './guest-output.ts'

const bytes = (text: string) => Buffer.from(text)

function output(limit: number) {
  const lines: string[] = []
  return {
    lines,
    printed: new GuestOutput(limit, (stream, line) => lines.push(`${stream}: ${line}`)),
  }
}

test('lines are reported as they end, and the last one when the request does', () => {
  const { lines, printed } = output(1024)
  printed.streams.stdout.write(bytes('one\ntw'))
  printed.streams.stderr.write(bytes('error'))
  printed.streams.stdout.write(bytes('o\nthree'))
  expect(lines).toEqual(['stdout: one', 'stdout: two'])
  printed.end()
  expect(lines.slice(2)).toEqual(['stdout: three', 'stderr: error'])
})

test('what a request prints beyond its limit is dropped, and the log says so once', () => {
  const { lines, printed } = output(2048)
  for (let i = 0; i < 100; i++) printed.streams.stdout.write(bytes(`${'x'.repeat(200)}\n`))
  printed.streams.stderr.write(bytes('more\n'))
  expect(lines.slice(-1)).toEqual(['stdout: … output of this request beyond 2 KiB was dropped'])
  expect(lines.length).toBeLessThan(12)
  printed.end()
  printed.streams.stdout.write(bytes('the next request\n'))
  expect(lines.at(-1)).toBe('stdout: the next request')
})

test('a line of the audit log does not count, up to a limit of its own', () => {
  let audited = 0
  const { lines, printed } = output(2048)
  const both = new GuestOutput(2048, (_, line) => {
    if (!line.startsWith('{')) return lines.push(line)
    audited++
    return true
  })
  for (let i = 0; i < 100; i++) both.streams.stdout.write(bytes(`{${'x'.repeat(1000)}}\n`))
  expect(audited).toBe(100)
  both.streams.stdout.write(bytes('still there\n'))
  expect(lines).toEqual(['still there'])
  for (let i = 0; i < 10_000; i++) both.streams.stdout.write(bytes(`{${'x'.repeat(1000)}}\n`))
  expect(audited).toBeLessThan(9000)
  printed.end()
})

test('empty lines count too', () => {
  const { lines, printed } = output(1024)
  printed.streams.stdout.write(bytes('\n'.repeat(1000)))
  expect(lines.length).toBeLessThan(40)
  expect(lines.at(-1)).toContain('was dropped')
})

test('of a write as long as a memory only the pieces are read that are reported', () => {
  const { printed } = output(100_000)
  let read = 0
  printed.streams.stdout.writeFrom(2 ** 31, (_from, length) => {
    read += length
    return new Uint8Array(length)
  })
  expect(read).toBeLessThan(200_000)
})
