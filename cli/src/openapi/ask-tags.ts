/** Of a large API, a person chooses the groups of operations. */
import type { ApiChoice } from 'ftl-contract'
import { terminalAt, withQuestions } from '../terminal/terminal.ts'
import { line } from '../terminal/ui.ts'
import { visible } from '../terminal/visible-text.ts'
import type { Planned } from './plan.ts'

/** Tools that are made without a question. */
const MANY = 40

/** Whether the user has chosen nothing of an API that is large. */
export function choosesAll(
  { include, tag, operation }: ApiChoice,
  { plan, tags }: Pick<Planned, 'plan' | 'tags'>,
): boolean {
  const isOpen = !include && !tag && !operation
  return (
    isOpen && plan.operations.length > MANY && tags.size > 1 && terminalAt('stdout') !== undefined
  )
}

/** @returns `undefined` for all. */
export async function chooseTags({
  plan,
  tags,
}: Pick<Planned, 'plan' | 'tags'>): Promise<string[] | undefined> {
  line(`${visible(plan.title)} has ${plan.operations.length} operations. Its tags:`)
  for (const [tag, count] of tags) line(`  ${visible(tag)} (${count})`)
  const answer = await withQuestions('stdout', {}, (ask) =>
    ask('\nTags to take, separated by commas (all): '),
  )
  const chosen = answer
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return chosen.length === 0 || chosen.includes('all') ? undefined : chosen
}
