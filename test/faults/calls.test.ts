// Whatever a component does when it is called: each kind of client gets an answer in its own format and in time, which
// shows no internals of the component, and other calls still work.
import { afterAll, beforeAll, describe, expect, type ExpectStatic, it } from 'vitest'
import { type FaultyApplication, startFaulty } from './application.ts'
import { ask, type Era, ERAS, type Seen } from './eras.ts'
import { says } from './expected.ts'
import { AT_DEADLINE, AT_ONCE, type Fault, LEAK } from './fault.ts'
import { JOB_ROWS } from './job-rows.ts'
import { LINE_ROWS } from './line-rows.ts'
import { OFFER_ROWS } from './offer-rows.ts'
import { TOOL_ROWS } from './tool-rows.ts'

// Without the components whose discovery fails: every list would take a second.
const SOUND = 'echo,counter,calls,offers'

let application: FaultyApplication
beforeAll(async () => {
  application = await startFaulty({ variables: { tool_components: SOUND } })
  // The first request of each kind takes longer.
  await ask(application.url, 'plain', 'tools/list')
  await othersWork()
})
afterAll(() => application.close())

const TABLE: Record<string, readonly Fault[]> = {
  'a tool that': TOOL_ROWS,
  'a tool that, line by line,': LINE_ROWS,
  'a tool with a job that': JOB_ROWS,
  'a component that': OFFER_ROWS,
}

for (const [what, faults] of Object.entries(TABLE)) {
  describe(what, () => {
    for (const fault of faults) {
      // Those that only wait for the deadline wait for it together.
      const options = { concurrent: fault.maxMs === AT_DEADLINE }
      it(`${fault.how}: ${fault.name}`, options, ({ expect }) => hold(fault, expect))
    }
  })
}

async function hold(fault: Fault, expect: ExpectStatic): Promise<void> {
  const { url } = application
  const written = application.written()
  const memory = process.memoryUsage.rss()

  const asked = variants(fault)
  const [lists, seen] = await Promise.all([
    Promise.all(ERAS.map((era) => ask(url, era, 'tools/list'))),
    fault.alone
      ? oneByOne(asked, (variant) => request(fault, variant))
      : Promise.all(asked.map((variant) => request(fault, variant))),
  ])

  for (const one of seen) judge(fault, one)
  for (const { answer } of lists) {
    const { tools } = answer.result as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'counter', 'throws']),
    )
  }
  await othersWork()
  const { logged, maxGrowth } = fault
  const { logs } = application
  if (logged !== undefined && logs) await expect.poll(() => logs(written)).toMatch(logged)
  if (maxGrowth !== undefined && logs) {
    expect(process.memoryUsage.rss() - memory).toBeLessThan(maxGrowth)
  }
}

interface Variant {
  era: Era
  listens: boolean
}

function variants({ progress }: Fault): Variant[] {
  return [false, ...(progress ? [true] : [])].flatMap((listens) =>
    ERAS.map((era) => ({ era, listens })),
  )
}

async function oneByOne<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const one of all) results.push(await work(one))
  return results
}

function request(fault: Fault, { era, listens }: Variant): Promise<Seen> {
  const { method = 'tools/call', params = { name: fault.name, arguments: {} } } = fault
  return ask(application.url, era, method, params, { listens })
}

function judge({ expected, maxMs, progress = [] }: Fault, seen: Seen): void {
  const { era, listens, status, answer, text, milliseconds } = seen
  const wanted = expected[era]
  expect(status, era).toBe(wanted.status ?? 200)
  expect(answer, era).toMatchObject(wanted.answer)
  expect(text, era).not.toMatch(LEAK)
  expect(milliseconds, `${era}, milliseconds`).toBeLessThan(maxMs)
  const numbers = seen.notifications.map(({ params }) => params?.['progress'])
  expect(numbers.slice(0, progress.length), era).toEqual(listens ? progress : [])
}

/** The tool echo still answers, and quickly. */
async function othersWork(): Promise<void> {
  const params = { name: 'echo', arguments: { message: 'still here' } }
  for (const era of ERAS) {
    const { answer, milliseconds } = await ask(application.url, era, 'tools/call', params)
    expect(answer, era).toMatchObject(says('still here')[era].answer)
    expect(milliseconds).toBeLessThan(AT_ONCE)
  }
}
