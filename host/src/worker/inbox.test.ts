import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FollowingMessage, Inbox, type RequestMessage } from './inbox.ts'

const request = (id: number) => ({ type: 'request', id }) as RequestMessage
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 20))

/** Passes only while a guest computes, so that a busy machine does not end a turn of the loop earlier. */
let now = 0
beforeEach(() => vi.spyOn(performance, 'now').mockImplementation(() => now))
afterEach(() => vi.restoreAllMocks())

/** Keeps the thread for so many milliseconds, as a guest does. */
function compute(milliseconds: number): void {
  now += milliseconds
}

function inbox(work: number) {
  const events: string[] = []
  const box = new Inbox({
    serve: ({ id }) => {
      events.push(`serve ${id}`)
      compute(work)
    },
    follow: ({ type, id }) => events.push(`${type} ${id}`),
    drop: ({ id }) => events.push(`drop ${id}`),
  })
  return { box, events }
}

test('a request that comes alone begins at once', async () => {
  await turn()
  const { box, events } = inbox(0)
  box.request(request(1))
  expect(events).toEqual(['serve 1'])
})

test('of a burst, those beyond a few milliseconds of work wait until the loop has turned', async () => {
  await turn()
  const { box, events } = inbox(8)
  for (let id = 1; id <= 20; id++) box.request(request(id))
  expect(events.length).toBeLessThan(20)
  expect(box.size).toBeGreaterThan(0)
  await expect.poll(() => box.size).toBe(0)
  expect(new Set(events)).toEqual(new Set(Array.from({ length: 20 }, (_, i) => `serve ${i + 1}`)))
  expect(events).toHaveLength(20)
})

test('what follows a request that waits comes behind it', async () => {
  await turn()
  const { box, events } = inbox(8)
  box.request(request(1))
  box.request(request(2))
  box.request(request(3))
  box.follow({ type: 'end', id: 3 })
  box.follow({ type: 'end', id: 1 } satisfies FollowingMessage)
  expect(events).toContain('end 1')
  expect(events).not.toContain('end 3')
  await expect.poll(() => events.includes('end 3')).toBe(true)
  expect(events.indexOf('end 3')).toBeGreaterThan(events.indexOf('serve 3'))
})

test('a request whose client leaves before it began never begins', async () => {
  await turn()
  const { box, events } = inbox(8)
  for (let id = 1; id <= 3; id++) box.request(request(id))
  box.follow({ type: 'left', id: 1 })
  box.follow({ type: 'left', id: 3 })
  await expect.poll(() => box.size).toBe(0)
  expect(events).toEqual(['serve 1', 'left 1', 'drop 3', 'serve 2'])
})
