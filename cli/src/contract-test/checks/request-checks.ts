/** Of requests that cannot be answered with a result. */
import { assertNone, Broken, type Check, NotApplicable } from '../check.ts'
import { invalidSample } from '../invalid-samples.ts'
import { shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import type { Answer, Subject } from '../subject.ts'

const section = 'requests'

export const REQUEST_CHECKS: Check[] = [
  {
    id: 'call.unknown-tool',
    holds: 'a tool it does not have is answered 404',
    section,
    todo: 'Answer 404 for paths that are not your tools, so that the gateway requests your list of tools again.',
    async run(subject) {
      await subject.offer()
      const { status } = await subject.ask('/no-such-tool-here', { method: 'POST', body: {} })
      if (status !== 404) throw new Broken(`POST /no-such-tool-here was answered ${status}`)
    },
  },
  {
    id: 'call.wrong-method',
    holds: 'a method it does not know is answered 405',
    section,
    todo: 'Answer 405 with an "allow" header where a tool is asked for with another method than POST.',
    async run(subject) {
      const problems: string[] = []
      for (const { name } of await subject.tools()) {
        const { status, request } = await subject.ask(`/${encodeURIComponent(name)}`, {
          method: 'PUT',
          body: {},
        })
        if (status !== 405) problems.push(`${request} was answered ${status}`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'call.bad-json',
    holds: 'a body that is not JSON is refused with 4xx and an error that says so',
    section,
    todo: 'Catch the error of your JSON parser and answer 400 with { "content": [{ "type": "text", "text": "…" }], "isError": true }.',
    run: (subject) =>
      eachTool(subject, async (tool) => {
        const answer = await subject.ask(`/${encodeURIComponent(tool.name)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"a":',
        })
        return refusalProblem(answer, 'was sent {"a": and')
      }),
  },
  {
    id: 'call.misfit',
    holds: 'arguments that do not fit the schema are refused, and not worked with',
    section,
    todo: 'Check the arguments before the work: answer 400 with a result that has "isError": true and says which argument is wrong.',
    async run(subject) {
      let tried = 0
      await eachTool(subject, async (tool) => {
        const args = invalidSample(tool.inputSchema, subject.argumentsFor(tool))
        if (args === undefined) return undefined
        tried++
        const answer = await subject.call(tool, args)
        const { json } = answer
        if (answer.status === 200 && (json as { isError?: unknown })?.isError === true) {
          return resultProblem(json)
        }
        return refusalProblem(answer, `was sent ${shorten(JSON.stringify(args), 60)} and`)
      })
      if (tried === 0) throw new NotApplicable('the schemas of its tools take everything')
    },
  },
]

/** 4xx with a result that is an error, or with words of its own. */
function refusalProblem(answer: Answer, what: string): string | undefined {
  const { status, json, request } = answer
  if (status < 400 || status > 499) return `${request} ${what} answered ${status}`
  if (json === undefined) return `${request} ${what} answered ${status} without JSON`
  if (typeof json === 'object' && json !== null && 'content' in json) return resultProblem(json)
  return undefined
}

async function eachTool(
  subject: Subject,
  problemOf: (tool: Awaited<ReturnType<Subject['tools']>>[number]) => Promise<string | undefined>,
): Promise<void> {
  const problems: string[] = []
  for (const tool of await subject.tools()) {
    const problem = await problemOf(tool)
    if (problem !== undefined) problems.push(problem)
  }
  assertNone(problems)
}
