/** Runs the property: every answer is one, and comes in time. */
import * as fc from 'fast-check'
import { type Answered, complaints } from './judge.ts'
import { type FuzzRequest, requests } from './requests.ts'

export interface FuzzOptions {
  send: (request: FuzzRequest) => Promise<Response>
  /** Requests, unless `FTL_FUZZ_RUNS` says how many. */
  runs: number
  /** Milliseconds an answer may take. */
  withinMs: number
}

/** What was printed by a failing run repeats it: `FTL_FUZZ_SEED=… FTL_FUZZ_RUNS=…`. */
export async function fuzz({ send, runs, withinMs }: FuzzOptions): Promise<void> {
  const seed = Number(process.env['FTL_FUZZ_SEED'] ?? Date.now() % 2 ** 31)
  const numRuns = Number(process.env['FTL_FUZZ_RUNS'] ?? runs)
  console.log(`fuzz: FTL_FUZZ_SEED=${seed} FTL_FUZZ_RUNS=${numRuns}`)
  const property = fc.asyncProperty(requests, async (request) => {
    const found = complaints(request, await answerTo(request, send, withinMs))
    if (found.length > 0) throw new Error(found.join('; '))
  })
  const details = await fc.check(property, { seed, numRuns })
  // A request that fails may be 200 KB long.
  if (details.failed) {
    const report = shortened(await fc.asyncDefaultReportMessage(details))
    throw new Error(report, { cause: details.errorInstance })
  }
}

async function answerTo(
  request: FuzzRequest,
  send: FuzzOptions['send'],
  withinMs: number,
): Promise<Answered> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${withinMs} ms`)), withinMs)
  })
  const answer = async () => {
    const response = await send(request)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  try {
    return await Promise.race([answer(), late])
  } finally {
    clearTimeout(timer)
  }
}

function shortened(report = ''): string {
  return report.replace(/(.)\1{50,}|((..?.?.?.?.?)\3{20,})/g, (run) => `${run.slice(0, 20)}…`)
}
