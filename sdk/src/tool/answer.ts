/** From whatever a handler returned to what the caller is sent. */
import type { InputRequired, ToolResult } from 'ftl-contract'
import { checkJson } from '../schema/check-json.ts'
import {
  formatIssues,
  type InputSchema,
  isStandardSchema,
  type StandardResult,
} from '../schema/standard-schema.ts'
import { InvalidAnswer } from './errors.ts'
import type { JobStarted } from './answer-builders.ts'
import { isResult } from './stream.ts'

type Sent = ToolResult | InputRequired | JobStarted

/** @throws {InvalidAnswer} or rejects with it. */
export type ToSent = (answer: unknown) => Sent | Promise<Sent>

/**
 * @param tool its name, for errors.
 * @param schema what it promises as `structuredContent`.
 */
export function sender(tool: string, schema: InputSchema | undefined): ToSent {
  const fail = (problem: string, remedy: string): never => {
    throw new InvalidAnswer(`tool "${tool}" ${problem}. ${remedy}`)
  }

  const unsendable = (what: string) =>
    fail(`returned ${what}`, 'Return a string, an object, nothing or a ToolResponse')

  function structured(value: object, result?: ToolResult): Sent | Promise<Sent> {
    const sent = result ?? {
      content: [{ type: 'text', text: toText(value) }],
      structuredContent: value,
    }
    if (!schema) return sent
    const checked = check(schema, value)
    return checked instanceof Promise ? checked.then(fitting) : fitting(checked)

    function fitting({ issues }: StandardResult<unknown>): Sent {
      if (issues?.length) {
        fail(`returned a value that does not match its outputSchema`, `\n${formatIssues(issues)}`)
      }
      return sent
    }
  }

  function toText(value: object): string {
    // What a Response, a Map or a Date holds is not in their JSON.
    const kind = {}.toString.call(value).slice(8, -1)
    if (kind !== 'Object') unsendable(`a ${kind}`)
    try {
      return JSON.stringify(value)
    } catch (error) {
      return fail(
        `returned a value that cannot be written as JSON (${(error as Error).message})`,
        'Leave out what is circular; write a BigInt as a string',
      )
    }
  }

  return (answer) => {
    if (typeof answer === 'object' && answer !== null) {
      if (isResult(answer)) {
        if (!schema || answer.isError) return answer
        const { structuredContent } = answer
        if (typeof structuredContent === 'object' && structuredContent !== null) {
          return structured(structuredContent, answer)
        }
      } else if (isAsking(answer) || isJob(answer)) return answer
      else if (!Array.isArray(answer)) return structured(answer)
    }
    if (schema) {
      return fail(
        `returned ${nameOf(answer)}, but promises an outputSchema`,
        'Return the object the schema describes',
      )
    }
    if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] }
    if (answer === undefined || answer === null) return { content: [] }
    return unsendable(nameOf(answer))
  }
}

function check(
  schema: InputSchema,
  value: object,
): StandardResult<unknown> | Promise<StandardResult<unknown>> {
  return isStandardSchema(schema)
    ? schema['~standard'].validate(value)
    : { issues: checkJson(schema, value) }
}

function isAsking(answer: object): answer is InputRequired {
  return 'resultType' in answer && answer.resultType === 'input_required'
}

function isJob(answer: object): answer is JobStarted {
  const { job } = answer as { job?: { id?: unknown; seq?: unknown } | null }
  return typeof job === 'object' && typeof job?.id === 'string' && typeof job.seq === 'number'
}

function nameOf(answer: unknown): string {
  if (answer === undefined) return 'nothing'
  if (Array.isArray(answer)) return 'an array'
  if (typeof answer === 'object') return answer ? 'a result without structuredContent' : 'null'
  return `a ${typeof answer}`
}
