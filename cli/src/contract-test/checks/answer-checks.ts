/** Checks the responses of tools to valid arguments. */
import { isObject } from 'ftl-contract'
import { assertNone, type Check, NotApplicable } from '../check.ts'
import { shorten } from '../offer.ts'
import { resultProblem } from '../results.ts'
import { compileSchema } from '../schemas.ts'
import type { Answer } from '../subject.ts'

const section = 'requests'

export const ANSWER_CHECKS: Check[] = [
  {
    id: 'call.answer',
    rule: 'a call with valid arguments returns a result, input requests or a job',
    section,
    fix: 'Return 200 with { "content": […] }. If the generated arguments are the cause, set others with --tool and --args, or add "examples" to the schema.',
    async run(subject) {
      const problems: string[] = []
      for (const tool of await subject.tools()) {
        const answer = await subject.sample(tool)
        const problem = answerProblem(answer)
        const args = shorten(JSON.stringify(subject.argumentsFor(tool)), 60)
        if (problem !== undefined) problems.push(`${answer.request} with ${args}: ${problem}`)
      }
      assertNone(problems)
    },
  },
  {
    id: 'call.structured',
    rule: 'structuredContent matches the outputSchema',
    section,
    fix: 'Return structuredContent that matches the outputSchema. The gateway and many clients reject any other.',
    async run(subject) {
      const problems: string[] = []
      let tried = 0
      const failed: string[] = []
      for (const tool of await subject.tools()) {
        const { status, json } = await subject.sample(tool)
        const schema = compileSchema(tool.outputSchema)
        if (tool.outputSchema === undefined || schema.problem !== undefined) continue
        if (status !== 200 || !isObject(json) || json.isError === true || !('content' in json)) {
          failed.push(tool.name)
          continue
        }
        tried++
        const problem =
          json.structuredContent === undefined
            ? 'it is missing'
            : schema.check(json.structuredContent)
        if (problem !== undefined) problems.push(`structuredContent of "${tool.name}": ${problem}`)
      }
      assertNone(problems)
      if (tried > 0) return
      const [name] = failed
      throw new NotApplicable(
        name === undefined
          ? 'no tool has an outputSchema'
          : `the arguments that were made for "${name}" gave no result; give others with --tool ${name} --args '{…}'`,
      )
    },
  },
]

function answerProblem({ status, json, text, headers }: Answer): string | undefined {
  // The check `lines.asked-for` reports this.
  if (headers.get('content-type')?.startsWith('application/x-ndjson')) return undefined
  if (!isObject(json)) return `status ${status}: ${shorten(text)}`
  if (status === 202) return isObject(json.job) ? undefined : 'status 202 without a job'
  if (status === 200 && json.resultType === 'input_required') return undefined
  // The tool may reject the generated arguments; the rejection must still be a valid result.
  if (status === 200 || (status >= 400 && status < 500 && 'content' in json)) {
    return resultProblem(json)
  }
  return `status ${status}: ${shorten(text)}`
}
