/** Clients that start jobs and call tools through the proxy all the time, and send again what failed, as they should. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How a request ended: a status, or that the connection broke. */
type End = number | 'broken'

export interface Answer {
  end: End
  retryAfter: string | null
  text: string
}

export interface Load {
  /** Ids that the clients got, by idempotency key; several of one key would be a job that was made twice. */
  jobs: Map<string, Set<string>>
  answers: Answer[]
  /** Idempotency keys whose jobs have failed, as the answer said. */
  failed: Set<string>
  /** Milliseconds between two answers with 200 or 202, at most. */
  longestGapMs(): number
  /** Ends the load when each client has got its last answer. */
  stop(): Promise<void>
}

const PAUSE_MS = 250

export function startLoad(url: string, clients: number): Load {
  const jobs = new Map<string, Set<string>>()
  const answers: Answer[] = []
  const failed = new Set<string>()
  let isRunning = true
  let last = performance.now()
  let longest = 0
  const send = async (path: string, init?: RequestInit): Promise<Answer> => {
    const answer = await fetch(url + path, { ...init, signal: AbortSignal.timeout(20_000) }).then(
      async (response) => ({
        end: response.status,
        retryAfter: response.headers.get('retry-after'),
        text: await response.text(),
      }),
      (error: unknown) => ({ end: 'broken' as const, retryAfter: null, text: String(error) }),
    )
    answers.push(answer)
    if (answer.end === 200 || answer.end === 202) {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }
    return answer
  }
  const invoke = (body: object, headers: Record<string, string> = {}) =>
    send('/invoke', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  let seed = 0
  const client = async () => {
    while (isRunning) {
      const key = crypto.randomUUID()
      const ids = new Set<string>()
      jobs.set(key, ids)
      const call = { tool: 'generate_image', params: { prompt: 'a lighthouse', seed: ++seed } }
      let isRefused = false
      while (ids.size === 0) {
        const headers = { prefer: 'respond-async', 'idempotency-key': key }
        const { end, text } = await invoke(call, headers)
        if (end === 202) ids.add((JSON.parse(text) as { id: string }).id)
        // The store failed between the record of the job and its work: this job has failed, and a new key begins another.
        else if (text.includes('"tool_failed"')) break
        else await sleep(PAUSE_MS)
        // No job has begun: a fast machine starts more of them than its ComfyUI makes.
        isRefused = end === 429
        if (isRefused) break
      }
      if (ids.size === 0) {
        jobs.delete(key)
        if (!isRefused) failed.add(key)
        continue
      }
      // Sent again, as a client does that lost the answer.
      let again = await invoke(call, { prefer: 'respond-async', 'idempotency-key': key })
      // Until it is answered: the gateway may have failed to store the job, and does so now (LIMITS.md).
      while (again.end === 503 || again.end === 'broken') {
        await sleep(PAUSE_MS)
        again = await invoke(call, { prefer: 'respond-async', 'idempotency-key': key })
      }
      if (again.end === 202) ids.add((JSON.parse(again.text) as { id: string }).id)
      await invoke({ tool: 'echo', params: { message: 'x' } })
      for (const id of ids) await send(`/jobs/${id}`)
      await sleep(PAUSE_MS)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    jobs,
    answers,
    failed,
    longestGapMs: () => longest,
    async stop() {
      isRunning = false
      await running
    },
  }
}

/** Answers by how they ended. */
export function endsOf(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { end } of answers) counts[end] = (counts[end] ?? 0) + 1
  return counts
}
