/** Checks of requests that a component must reject. */
import { assertNone, Violation, type Check, NotApplicable } from '../check.ts'
import { invalidSample } from '../invalid-samples.ts'
import { shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import type { Answer, Subject } from '../subject.ts'

const section = 'requests'

export const REQUEST_CHECKS: Check[] = [
  {
    id: 'call.unknown-tool',
    rule: 'a call of an unknown tool returns 404',
    section,
    fix: 'Return 404 for every path that is not a tool, so that the gateway requests the list of tools again.',
    async run(subject) {
      await subject.offer()
      const { status } = await subject.ask('/no-such-tool-here', { method: 'POST', body: {} })
      if (status !== 404) throw new Violation(`POST /no-such-tool-here returned ${status}`)
    },
  },
  {
    id: 'call.wrong-method',
    rule: 'an unknown method returns 405',
    section,
    fix: 'Return 405 with an "allow" header if the path of a tool is requested with another method than POST.',
    async run(subject) {
      const problems: string[] = []
      for (const { name } of await subject.tools()) {
        const { status, request } = await subject.ask(`/${encodeURIComponent(name)}`, {
          method: 'PUT',
          body: {},
        })
        if (status !== 405) problems.push(`${request} returned ${status}`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'call.bad-json',
    rule: 'a body that is not JSON is rejected with status 4xx and an error',
    section,
    fix: 'Catch the error of your JSON parser and return 400 with { "content": [{ "type": "text", "text": "…" }], "isError": true }.',
    run: (subject) =>
      eachTool(subject, async (tool) => {
        const answer = await subject.ask(`/${encodeURIComponent(tool.name)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"a":',
        })
        return rejectionProblem(answer, 'with the body {"a":')
      }),
  },
  {
    id: 'call.misfit',
    rule: 'arguments that do not match the schema are rejected',
    section,
    fix: 'Validate the arguments first. Return 400 and a result with "isError": true that names the invalid argument.',
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
        return rejectionProblem(answer, `with ${shorten(JSON.stringify(args), 60)}`)
      })
      if (tried === 0) throw new NotApplicable('the schemas of its tools accept everything')
    },
  },
]

/** A rejection has status 4xx and either a valid error result or any other JSON. */
function rejectionProblem(answer: Answer, what: string): string | undefined {
  const { status, json, request } = answer
  if (status < 400 || status > 499) return `${request} ${what} returned ${status}`
  if (json === undefined) return `${request} ${what} returned ${status} without JSON`
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
