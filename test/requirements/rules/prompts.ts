import { ALL, page, type Rule } from '../rule.ts'

const PROMPTS = page('server/prompts')
const COMPLETION = page('server/utilities/completion')
const COMPLETING = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const

export const prompts: readonly Rule[] = [
  {
    id: 'prompts.capability',
    revisions: ALL,
    level: 'MUST',
    rule: 'A server with prompts declares the capability prompts.',
    source: `${PROMPTS}#capabilities`,
  },
  {
    id: 'prompts.list',
    revisions: ALL,
    level: 'MUST',
    rule: 'prompts/list answers with name, description and arguments of every prompt.',
    source: `${PROMPTS}#listing-prompts`,
  },
  {
    id: 'prompts.get',
    revisions: ALL,
    level: 'MUST',
    rule: 'prompts/get answers with messages of the roles user and assistant.',
    source: `${PROMPTS}#getting-a-prompt`,
  },
  {
    id: 'prompts.arguments',
    revisions: ALL,
    level: 'MUST',
    rule: 'The arguments reach the prompt.',
    source: `${PROMPTS}#getting-a-prompt`,
  },
  {
    id: 'prompts.content',
    revisions: ALL,
    level: 'MAY',
    rule: 'Images and resources in a message reach the client with type and data.',
    source: `${PROMPTS}#promptmessage`,
  },
  {
    id: 'prompts.unknown',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'A prompt that is not there is answered with -32602.',
    source: `${PROMPTS}#error-handling`,
  },
  {
    id: 'prompts.missing-argument',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'A required argument that is missing is answered with -32602.',
    source: `${PROMPTS}#error-handling`,
  },
  {
    id: 'prompts.arguments-validated',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'Arguments that are no strings are refused before the prompt sees them.',
    source: `${PROMPTS}#implementation-considerations`,
  },
]

export const completion: readonly Rule[] = [
  {
    id: 'completion.capability',
    revisions: COMPLETING,
    level: 'MUST',
    rule: 'A server that completes declares the capability completions.',
    source: `${COMPLETION}#capabilities`,
  },
  {
    id: 'completion.prompt-argument',
    revisions: ALL,
    level: 'MUST',
    rule: 'completion/complete answers for the argument of a prompt.',
    source: `${COMPLETION}#requesting-completions`,
  },
  {
    id: 'completion.template-variable',
    revisions: ALL,
    level: 'MUST',
    rule: 'completion/complete answers for the variable of a resource template.',
    source: `${COMPLETION}#reference-types`,
  },
  {
    id: 'completion.context',
    revisions: ['2026-07-28', '2025-11-25', '2025-06-18'],
    level: 'SHOULD',
    rule: 'The arguments that are already known reach the component.',
    source: `${COMPLETION}#requesting-completions`,
  },
  {
    id: 'completion.at-most-100',
    revisions: ALL,
    level: 'MUST',
    rule: 'An answer has at most 100 values; that there are more is said in hasMore.',
    source: `${COMPLETION}#completion-results`,
  },
  {
    id: 'completion.unknown',
    revisions: ALL,
    level: 'SHOULD',
    rule: 'A prompt that is not there is answered with -32602.',
    source: `${COMPLETION}#error-handling`,
  },
  {
    id: 'completion.validated',
    revisions: ALL,
    level: 'MUST',
    rule: 'A request without a reference or an argument, or with malformed ones, is answered with -32602.',
    source: `${COMPLETION}#security`,
  },
  {
    id: 'completion.rate-limit',
    revisions: ALL,
    level: 'MUST',
    rule: 'Completions are limited in their rate.',
    source: `${COMPLETION}#security`,
  },
]
