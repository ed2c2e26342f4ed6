import { expect, test } from 'vitest'
import { JobEnds } from './job-ends.ts'

const end = (job: string, reason = '') =>
  JSON.stringify({ audit: 1, event: 'job', reason, outcome: 'ok', job })

test('the end of a job is repeated the second time', () => {
  const ends = new JobEnds()
  expect([end('a'), end('b'), end('a')].map((line) => ends.isRepeated(line))).toEqual([
    false,
    false,
    true,
  ])
})

test('a text in a line cannot name another job', () => {
  const ends = new JobEnds()
  ends.isRepeated(end('a', '"job":"b"'))
  expect(ends.isRepeated(end('b'))).toBe(false)
})

test('calls are never repeated', () => {
  const ends = new JobEnds()
  const call = JSON.stringify({ audit: 1, event: 'call', outcome: 'job', job: 'a' })
  expect([call, call].map((line) => ends.isRepeated(line))).toEqual([false, false])
})

test('only the newest thousand are remembered', () => {
  const ends = new JobEnds()
  for (let n = 0; n <= 1000; n++) ends.isRepeated(end(`job-${n}`))
  expect(ends.isRepeated(end('job-1'))).toBe(true)
  expect(ends.isRepeated(end('job-0'))).toBe(false)
})
