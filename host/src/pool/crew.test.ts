import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Crew, type CrewMember } from './crew.ts'

class Member implements CrewMember {
  readonly ready: Promise<void>
  readonly exited: Promise<void>
  readonly warm: boolean
  load = 0
  silent = 0
  closed = false
  #exit: () => void = () => {}

  constructor(warm: boolean, fails = false) {
    this.warm = warm
    this.ready = fails ? Promise.reject(new Error('does not start')) : Promise.resolve()
    this.ready.catch(() => {})
    this.exited = new Promise((resolve) => (this.#exit = resolve))
  }

  silence(): number {
    return this.silent
  }

  async close(): Promise<void> {
    this.closed = true
    this.#exit()
  }
}

/** Lets every promise that can settle do so. */
const settle = () => vi.advanceTimersByTimeAsync(0)

let members: Member[]
let problems: string[]
/** Members that fail to start from now on. */
let failing = 0
beforeEach(() => {
  vi.useFakeTimers()
  ;[members, problems, failing] = [[], [], 0]
})
afterEach(() => {
  vi.useRealTimers()
})

async function started(size: number): Promise<Crew<Member>> {
  const crew = new Crew<Member>({
    size,
    spawn: ({ warm }) => {
      const member = new Member(warm, failing-- > 0)
      members.push(member)
      return member
    },
    onProblem: (message) => problems.push(message),
  })
  await crew.start()
  await settle()
  return crew
}

test('as many workers serve as were asked for, and one is ready to', async () => {
  const crew = await started(2)
  expect(crew.serving).toHaveLength(2)
  expect(members.map(({ warm }) => warm)).toEqual([true, true, false])
})

test('the spare takes the place of a lost worker at once, and a new spare is made', async () => {
  const crew = await started(1)
  const [first, spare] = members
  await first?.close()
  void crew.lost(first as Member)
  expect(crew.serving).toEqual([spare])
  await settle()
  expect(members).toHaveLength(3)
})

test('a worker that cannot start is tried again later', async () => {
  const crew = await started(1)
  failing = 2
  for (const lost of [...members]) {
    await lost.close()
    void crew.lost(lost)
  }
  await settle()
  expect(problems).toContain('does not start')
  await vi.advanceTimersByTimeAsync(2000)
  expect(crew.serving).toHaveLength(1)
})

describe('reinforcement', () => {
  test('comes from the spare, up to twice the size', async () => {
    const crew = await started(1)
    expect(crew.reinforce()).toBe(true)
    await settle()
    expect(crew.serving).toHaveLength(2)
    expect(crew.reinforce()).toBe(false)
  })

  test('serves for five seconds at least, then an idle worker leaves', async () => {
    const crew = await started(1)
    crew.reinforce()
    await settle()
    crew.release()
    expect(crew.serving).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5001)
    crew.release()
    expect(crew.serving).toHaveLength(1)
    // There is a spare again, so the one that left is closed.
    expect(members.filter(({ closed }) => closed)).toHaveLength(1)
    crew.release()
    expect(crew.serving).toHaveLength(1)
  })

  test('stays while every worker has requests or a guest that computes', async () => {
    const crew = await started(1)
    crew.reinforce()
    await vi.advanceTimersByTimeAsync(6000)
    const [working, computing] = crew.serving
    if (working) working.load = 1
    if (computing) computing.silent = 70
    crew.release()
    expect(crew.serving).toHaveLength(2)
  })
})

test('a crew that is closed closes every worker, and starts none', async () => {
  const crew = await started(2)
  await crew.close()
  await settle()
  expect(members.every(({ closed }) => closed)).toBe(true)
  expect(crew.lost(members[0] as Member)).toBeUndefined()
  expect(crew.reinforce()).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(members).toHaveLength(3)
})
