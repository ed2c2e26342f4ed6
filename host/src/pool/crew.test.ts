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

async function started(size: number, spare?: boolean): Promise<Crew<Member>> {
  const crew = new Crew<Member>({
    size,
    ...(spare !== undefined && { spare }),
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

describe('a crew without a spare', () => {
  test('starts its worker when it is resized, and lets it go without work', async () => {
    const crew = await started(0, false)
    expect(members).toEqual([])
    crew.resize(1)
    const ready = crew.ready()
    await settle()
    await ready
    expect(crew.serving).toHaveLength(1)
    expect(members).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(6000)
    crew.resize(0)
    const [worker] = crew.serving
    if (worker) worker.load = 1
    crew.release()
    expect(crew.serving).toHaveLength(1)
    if (worker) worker.load = 0
    crew.release()
    expect(crew.serving).toEqual([])
    expect(worker?.closed).toBe(true)
  })

  test('starts no other worker while one starts, however often it is resized', async () => {
    const crew = await started(0, false)
    for (let nth = 0; nth < 5; nth++) crew.resize(1)
    await settle()
    expect(members).toHaveLength(1)
    expect(crew.serving).toHaveLength(1)
  })

  test('starts as many workers as it lacks', async () => {
    const crew = await started(0, false)
    crew.resize(3)
    await settle()
    expect(crew.serving).toHaveLength(3)
  })

  test('starts a worker for a lost one, unless none is wanted any more', async () => {
    const crew = await started(1, false)
    const [first] = crew.serving
    if (first) void crew.lost(first)
    await settle()
    expect(crew.serving).toHaveLength(1)
    const [second] = crew.serving
    crew.resize(0)
    if (second) void crew.lost(second)
    await settle()
    expect(crew.serving).toEqual([])
    expect(members).toHaveLength(2)
  })

  test('keeps nothing waiting when it will have no worker', async () => {
    const crew = await started(1, false)
    failing = 1000
    if (crew.serving[0]) void crew.lost(crew.serving[0])
    const waiting = crew.ready()
    crew.resize(0)
    await settle()
    await waiting
    await crew.close()
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

describe('without new requests', () => {
  test('workers without work and the spare end, and a busy one goes on', async () => {
    const crew = await started(3)
    const [first, second, third] = members as [Member, Member, Member]
    second.load = 1
    crew.endIdle()
    await settle()
    expect(crew.serving).toEqual([second])
    expect([first, second, third].map(({ closed }) => closed)).toEqual([true, false, true])
    expect(members.filter(({ closed }) => !closed)).toEqual([second])
  })

  test('one worker stays for a request that is not at a worker yet', async () => {
    const crew = await started(2)
    crew.endIdle()
    crew.endIdle()
    await settle()
    expect(crew.serving).toEqual([members[0]])
  })

  test('a lost worker is replaced, because its request may be sent again', async () => {
    const crew = await started(2)
    const [first] = members as [Member]
    first.load = 1
    crew.endIdle()
    await crew.lost(first)
    expect(crew.serving).toHaveLength(1)
    expect(crew.serving).not.toContain(first)
  })
})

test('a spare that is still starting when the crew closes is not a problem', async () => {
  class Starting extends Member {
    override readonly ready: Promise<void>
    #end: (error: Error) => void = () => {}

    constructor() {
      super(false)
      this.ready = new Promise((_, reject) => (this.#end = reject))
      this.ready.catch(() => {})
    }

    override async close(): Promise<void> {
      this.#end(new Error('a worker ended while it started'))
      await super.close()
    }
  }
  const crew = new Crew<Member>({
    size: 1,
    spawn: ({ warm }) => {
      const member = members.length === 0 ? new Member(warm) : new Starting()
      members.push(member)
      return member
    },
    onProblem: (message) => problems.push(message),
  })
  await crew.start()
  await settle()
  expect(members).toHaveLength(2)
  const closed = crew.close()
  await vi.advanceTimersByTimeAsync(5000)
  await closed
  expect(problems).toEqual([])
})

describe('a worker that is dismissed', () => {
  test('gets nothing new, its place is taken, and it is closed once it has nothing to do', async () => {
    const crew = await started(2)
    const [first, second, spare] = members as [Member, Member, Member]
    first.load = 1
    expect(crew.dismiss(first)).toBe(true)
    await settle()
    expect(crew.serving).toEqual([second, spare])
    expect(crew.leaving).toEqual([first])
    crew.release()
    expect(first.closed).toBe(false)
    first.load = 0
    crew.release()
    expect(first.closed).toBe(true)
    expect(crew.leaving).toEqual([])
  })

  test('is not one too many: as many leave at once as were asked for, at most', async () => {
    const crew = await started(1)
    for (const member of members) member.load = 1
    expect(crew.dismiss(members[0] as Member)).toBe(true)
    await settle()
    const [next] = crew.serving
    expect(crew.dismiss(next as Member)).toBe(false)
    expect(crew.serving).toEqual([next])
  })

  test('may be lost before it has ended', async () => {
    const crew = await started(1)
    const [first] = members as [Member]
    first.load = 1
    crew.dismiss(first)
    await settle()
    await first.close()
    expect(await crew.lost(first)).toBeUndefined()
    expect(crew.leaving).toEqual([])
    expect(crew.serving).toHaveLength(1)
  })
})
