/** Checks of prompts and resources. */
import { isObject } from 'ftl-contract'
import { assertNone, Violation, type Check, NotApplicable } from '../check.ts'
import { shorten } from '../offer.ts'
import { contentProblem } from '../results.ts'
import type { Answer } from '../subject.ts'

const section = 'requests'

export const PROMPT_CHECKS: Check[] = [
  {
    id: 'prompts.answer',
    rule: 'each prompt returns messages, and an unknown prompt returns 404',
    section,
    fix: 'Return for POST /prompts/{name}: { "messages": [{ "role": "user", "content": { "type": "text", "text": "…" } }] }.',
    async run(subject) {
      const { prompts } = await subject.offer()
      if (prompts.length === 0) throw new NotApplicable('it has no prompts')
      const problems: string[] = []
      for (const { name, arguments: wanted } of prompts) {
        const args = (Array.isArray(wanted) ? wanted : []).filter(isObject)
        const body = Object.fromEntries(args.map((one) => [String(one.name), 'Hello']))
        const path = `/prompts/${encodeURIComponent(String(name))}`
        const answer = await subject.ask(path, { method: 'POST', body })
        const problem = isQuestion(answer) ? undefined : messagesProblem(answer)
        if (problem !== undefined) problems.push(`${answer.request}: ${problem}`)
      }
      assertNone(problems)
      const unknown = await subject.ask('/prompts/no-such-prompt-here', {
        method: 'POST',
        body: {},
      })
      if (unknown.status !== 404)
        throw new Violation(`${unknown.request} returned ${unknown.status}`)
    },
  },
  {
    id: 'resources.answer',
    rule: 'each resource returns contents, and an unknown resource returns 404',
    section,
    fix: 'Return { "contents": [{ "uri", "text" }] } for GET /resources?uri=…, or "blob" in base64 instead of "text".',
    async run(subject) {
      const { resources } = await subject.offer()
      if (resources.length === 0) throw new NotApplicable('it has no resources')
      const problems: string[] = []
      for (const { uri } of resources) {
        const answer = await subject.ask(`/resources?uri=${encodeURIComponent(String(uri))}`)
        const problem = isQuestion(answer) ? undefined : contentsProblem(answer)
        if (problem !== undefined) problems.push(`${answer.request}: ${problem}`)
      }
      assertNone(problems)
      const unknown = await subject.ask('/resources?uri=no-such-scheme-here%3Anone')
      if (unknown.status !== 404)
        throw new Violation(`${unknown.request} returned ${unknown.status}`)
    },
  },
]

function isQuestion({ status, json }: Answer): boolean {
  return status === 200 && isObject(json) && json.resultType === 'input_required'
}

function messagesProblem({ status, json, text }: Answer): string | undefined {
  if (status !== 200 || !isObject(json)) return `status ${status}: ${shorten(text)}`
  if (!Array.isArray(json.messages)) return '"messages" must be an array'
  for (const [index, message] of (json.messages as unknown[]).entries()) {
    const where = `messages[${index}]`
    if (!isObject(message)) return `${where} must be an object`
    if (message.role !== 'user' && message.role !== 'assistant') {
      return `${where}.role is ${JSON.stringify(message.role)} and must be "user" or "assistant"`
    }
    const problem = contentProblem(message.content)
    if (problem !== undefined) return `${where}.content ${problem}`
  }
  return undefined
}

function contentsProblem({ status, json, text }: Answer): string | undefined {
  if (status !== 200 || !isObject(json)) return `status ${status}: ${shorten(text)}`
  if (!Array.isArray(json.contents) || json.contents.length === 0)
    return '"contents" must be an array with at least one entry'
  for (const [index, resource] of (json.contents as unknown[]).entries()) {
    const problem = contentProblem({ type: 'resource', resource })
    if (problem !== undefined) return `contents[${index}] ${problem}`
  }
  return undefined
}
