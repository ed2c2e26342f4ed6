/** Calls a component as a gateway does, in whatever way it runs. */
import {
  CALL_ENVELOPE_TYPE,
  type JobRecord,
  type Offer,
  PRINCIPAL_HEADER,
  type PromptResult,
  type ResourceResult,
  type ToolDescription,
  type ToolResult,
} from 'ftl-contract'
import { answersTo, type CallAnswer, readAnswer, ToolFailed } from './calls.ts'
import type { CallSettings, ComponentCalls, TestComponentOptions } from './component.ts'
import type { Heard } from './console.ts'
import { missedHint } from './globals.ts'
import { callHeaders, type CallOptions } from './headers.ts'
import type { TestPlatform } from './platform.ts'
import type { Runner } from './runner.ts'
import { testJob } from './test-job.ts'

/** Rounds of questions after which a tool is treated as asking without end. */
const MOST_QUESTIONS = 20

export interface CallsParts {
  options: TestComponentOptions
  platform: TestPlatform
  /** Filled while the component runs. */
  heard: Heard[]
  runner: Runner
}

export function componentCalls({ options, platform, heard, runner }: CallsParts): ComponentCalls {
  async function ask<T>(path: string, init?: RequestInit): Promise<T | undefined> {
    return runner.around(async () => {
      const response = await runner.send(path, init)
      const body = await response.text()
      if (response.ok) return JSON.parse(body) as T
      if (response.status === 404 && path.startsWith('/jobs/')) return undefined
      throw new ToolFailed(
        `${init?.method ?? 'GET'} ${path} was answered ${response.status}: ${body}`,
      )
    })
  }

  async function callOnce(
    tool: string,
    body: unknown,
    type: string,
    settings: CallOptions,
  ): Promise<CallAnswer> {
    const since = heard.length
    const headers = { ...callHeaders({ ...options, ...settings }), 'content-type': type }
    const missed = new Set<string>()
    runner.takeError()
    try {
      return await runner.around(async () => {
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return readAnswer(await runner.send(`/${encodeURIComponent(tool)}`, init), component)
      }, missed)
    } catch (error) {
      const cause = runner.takeError()
      if (cause instanceof Error && cause.name === 'NotJson') throw cause
      const printed = heard.slice(since).filter(({ level }) => level === 'error')
      const why = printed.map(({ text }) => `\n${text}`).join('')
      if (!(error instanceof ToolFailed)) throw error
      const text = `tool ${tool}: ${error.message}${why}${missedHint(missed)}`
      throw new ToolFailed(text, { cause: cause ?? error })
    }
  }

  async function begin(
    tool: string,
    args: unknown,
    { answers, ...settings }: CallSettings,
  ): Promise<ToolResult | { job: JobRecord }> {
    component.progress = []
    component.logs = []
    let answer = await callOnce(tool, args, 'application/json', settings)
    for (let asked = 0; 'resultType' in answer; asked++) {
      if (asked === MOST_QUESTIONS) throw new ToolFailed(`tool ${tool} asks without end`)
      const envelope = {
        arguments: args,
        inputResponses: answersTo(answer, answers),
        ...(answer.requestState !== undefined && { requestState: answer.requestState }),
      }
      answer = await callOnce(tool, envelope, CALL_ENVELOPE_TYPE, settings)
    }
    return answer
  }

  function follow(job: JobRecord) {
    // As its owner: to another caller the job does not exist.
    const headers: Record<string, string> =
      job.owner === undefined ? {} : { [PRINCIPAL_HEADER]: job.owner }
    return testJob(job, platform.clock, (method, id) =>
      ask<JobRecord>(`/jobs/${id}`, { method, headers }),
    )
  }

  const component: ComponentCalls = {
    progress: [],
    logs: [],
    console: heard,
    platform,
    kv: platform.kv,
    requests: platform.requests,
    advance: (milliseconds) => platform.clock.advance(milliseconds),
    settled: () => runner.settled(),
    async call(tool, args = {}, settings = {}) {
      const answer = await begin(tool, args, settings)
      return 'job' in answer ? follow(answer.job).result() : answer
    },
    async startJob(tool, args = {}, settings = {}) {
      const answer = await begin(tool, args, settings)
      if ('job' in answer) return follow(answer.job)
      throw new ToolFailed(
        `tool ${tool} answered at once, without a job: ${JSON.stringify(answer)}`,
      )
    },
    prompt: async (prompt, args = {}) =>
      required(
        await ask<PromptResult>(`/prompts/${encodeURIComponent(prompt)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(args),
        }),
      ),
    resource: async (uri) =>
      required(await ask<ResourceResult>(`/resources?uri=${encodeURIComponent(uri)}`)),
    offer: async () =>
      toOffer(required(await ask<Offer | ToolDescription | ToolDescription[]>('/'))),
    fetch: (path, init) => runner.around(() => runner.send(path, init)),
  }
  return component
}

function toOffer(offer: Offer | ToolDescription | ToolDescription[]): Offer {
  if (Array.isArray(offer)) return { tools: offer }
  return 'inputSchema' in offer ? { tools: [offer] } : offer
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new ToolFailed('there is no answer')
  return value
}
