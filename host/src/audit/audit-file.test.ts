import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AuditFile, type AuditFileOptions } from './audit-file.ts'
import { hashOf, linkOf, START } from './hash-chain.ts'

let folder: string
let path: string
let problems: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ftl-audit-'))
  path = join(folder, 'audit.jsonl')
  problems = []
})

afterEach(() => rmSync(folder, { recursive: true }))

function open(options: Partial<AuditFileOptions> = {}): AuditFile {
  return new AuditFile(path, {
    maxBytes: 1e6,
    onProblem: (message) => problems.push(message),
    ...options,
  })
}

const linesOf = (file = path) => readFileSync(file, 'utf8').trimEnd().split('\n')

/** Checks each line against the one before, and returns what they say. */
function chainOf(lines: readonly string[]): Record<string, unknown>[] {
  let head = START
  return lines.map((line) => {
    expect(linkOf(line)).toEqual({ seq: head.seq + 1, hash: head.hash })
    head = { seq: head.seq + 1, hash: hashOf(line) }
    return JSON.parse(line) as Record<string, unknown>
  })
}

const entry = (n: number) => `{"audit":1,"n":${n}}`

describe('a chain', () => {
  test('goes on after a restart', () => {
    const first = open()
    first.append(entry(1))
    first.close()
    const second = open()
    second.append(entry(2))
    second.close()
    expect(chainOf(linesOf())).toMatchObject([{ n: 1 }, { n: 2 }])
  })

  test('goes on after a line that was torn, which is marked', () => {
    const first = open()
    first.append(entry(1))
    first.close()
    const torn = '{"seq":2,"prev":"0123'
    appendFileSync(path, torn)
    const second = open()
    second.append(entry(2))
    second.close()
    const lines = linesOf()
    expect(lines[1]).toBe(torn)
    expect(chainOf([lines[0] ?? '', ...lines.slice(2)])).toMatchObject([
      { n: 1 },
      { event: 'torn', bytes: torn.length, sha256: hashOf(torn) },
      { n: 2 },
    ])
  })

  test('goes on over files, each named after its first line', () => {
    const file = open({ maxBytes: 400 })
    for (let n = 1; n <= 12; n++) file.append(entry(n))
    file.close()
    const names = readdirSync(folder).sort()
    expect(names.length).toBeGreaterThan(2)
    expect(names).toContain('audit.jsonl.000000000001')
    const old = names.filter((name) => name !== 'audit.jsonl')
    const all = [...old, 'audit.jsonl'].flatMap((name) => linesOf(join(folder, name)))
    const numbers = chainOf(all).flatMap(({ n }) => (typeof n === 'number' ? [n] : []))
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('goes on if the process ended between the two renames of a rotation', () => {
    const file = open({ maxBytes: 50 })
    file.append(entry(1))
    file.append(entry(2))
    file.close()
    renameSync(path, `${path}.next`)
    const again = open()
    again.append(entry(3))
    again.close()
    const all = [...linesOf(`${path}.000000000001`), ...linesOf()]
    expect(chainOf(all).flatMap(({ n }) => n ?? [])).toEqual([1, 2, 3])
  })

  test('goes on in a new file if another program moved the file away', () => {
    const file = open()
    file.append(entry(1))
    renameSync(path, `${path}.old`)
    file.check()
    file.append(entry(2))
    file.close()
    const all = [...linesOf(`${path}.old`), ...linesOf()]
    expect(chainOf(all)).toMatchObject([{ n: 1 }, { event: 'continued' }, { n: 2 }])
  })
})

describe('another program that changes the file', () => {
  test('is noticed before the next line', () => {
    const file = open()
    file.append(entry(1))
    truncateSync(path, 0)
    file.append(entry(2))
    file.close()
    // The numbers go on, so that the line that is gone shows.
    expect(linesOf().map((line) => linkOf(line)?.seq)).toEqual([2, 3])
    expect(problems).toEqual([expect.stringContaining('another program has changed')])
  })
})

describe('a disk that is full', () => {
  /** Takes `room` bytes, then fails as a full disk does. */
  const disk = (state: { room: number }) => (fd: number, bytes: Uint8Array, offset: number) => {
    const count = Math.min(state.room, bytes.length - offset)
    if (count === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    state.room -= count
    return writeSync(fd, bytes, offset, count)
  }

  test('loses no line: what could not be written is written later, in order', () => {
    const state = { room: 1e6 }
    const file = open({ write: disk(state) })
    expect(file.append(entry(1))).toBe(true)
    state.room = 30
    expect([2, 3, 4].map((n) => file.append(entry(n)))).toEqual([false, false, false])
    expect(file.failure).toBe('the disk is full')
    state.room = 1e6
    expect(file.append(entry(5))).toBe(true)
    file.close()
    const lines = linesOf()
    const whole = chainOf(lines.filter((line) => linkOf(line)))
    expect(whole).toMatchObject([
      { n: 1 },
      { event: 'torn' },
      { n: 2 },
      { n: 3 },
      { n: 4 },
      { n: 5 },
    ])
    expect(problems).toEqual([
      expect.stringContaining('the disk is full'),
      expect.stringContaining('can be written again'),
    ])
  })

  test('at any byte leaves a chain that goes on', () => {
    for (let room = 0; room < 260; room += 7) {
      rmSync(path, { force: true })
      const state = { room }
      const file = open({ write: disk(state) })
      file.append(entry(1))
      file.append(entry(2))
      state.room = 3
      file.append(entry(3))
      state.room = 1e6
      file.append(entry(4))
      file.close()
      const lines = linesOf()
      const whole = chainOf(
        lines.filter((line, at) => linkOf(line) && !isMarkedAsTorn(line, lines.slice(at + 1))),
      )
      expect(whole.flatMap(({ n }) => n ?? [])).toEqual([1, 2, 3, 4])
    }
  })

  const isMarkedAsTorn = (line: string, after: string[]) =>
    after.some((next) => next.includes(`"sha256":"${hashOf(line)}"`))

  test('for long counts the lines that do not fit into memory', () => {
    const state = { room: 0 }
    const file = open({ write: disk(state) })
    for (let n = 0; n < 10_005; n++) file.append(entry(n))
    state.room = 1e9
    file.append(entry(-1))
    file.close()
    const last = chainOf(linesOf()).at(-1)
    expect(last).toMatchObject({ event: 'lost', lines: 6 })
  })
})

describe('the file', () => {
  test('is readable for its user only, also if it was not before', () => {
    writeFileSync(path, '', { mode: 0o644 })
    chmodSync(path, 0o644)
    open().close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['a symbolic link', () => symlinkSync('/etc/passwd', path), 'symbolic link'],
    ['a folder', () => mkdirSync(path), 'folder'],
    ['another file', () => writeFileSync(path, 'hello\n'), 'not a line of an audit log'],
    ['a file of another kind', () => writeFileSync(path, 'hello'), 'not an audit log'],
  ])('is refused if it is %s', (_, make, why) => {
    make()
    expect(() => open()).toThrow(why)
  })

  test('is refused if its folder does not exist', () => {
    path = join(folder, 'missing', 'audit.jsonl')
    expect(() => open()).toThrow('its folder does not exist')
  })
})
