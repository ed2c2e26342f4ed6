/** The answer of a person to the question of a paused run. */
import { isObject } from 'ftl-contract'
import { APPROVAL_KEY } from '../invoke/approval-key.ts'
import type { Scope } from '../scope.ts'
import { loadCall, saveCall } from './journal.ts'
import { type KeptRun, saveRun } from './kept-run.ts'

export type Answer = 'accept' | 'decline' | 'cancel'

/** @returns `undefined` if the client has not answered. */
export function answerIn(inputResponses: unknown): Answer | undefined {
  const answer = isObject(inputResponses) ? inputResponses[APPROVAL_KEY] : undefined
  const action = isObject(answer) ? answer.action : undefined
  return action === 'accept' || action === 'decline' || action === 'cancel' ? action : undefined
}

/**
 * Notes the answer in the journal and makes the run one of a new attempt, which the caller must begin.
 *
 * @returns `undefined` if the run is not paused by this question, so that an answer counts once.
 */
export async function answerQuestion(
  scope: Scope,
  run: KeptRun,
  question: string,
  answer: Answer,
  more: Partial<KeptRun> = {},
): Promise<KeptRun | undefined> {
  if (run.state !== 'paused' || run.question?.id !== question) return undefined
  const { seq } = run.question
  const entry = await loadCall(scope, run.id, seq)
  if (entry?.state === 'asks') {
    const { digest, called } = entry
    await saveCall(
      scope,
      run,
      seq,
      answer === 'accept'
        ? { digest, called, state: 'approved' }
        : { digest, called, state: 'failed', ...refusal(called, answer) },
    )
  }
  return nextAttempt(scope, run, more)
}

function refusal(called: string, answer: Answer) {
  const reason = answer === 'decline' ? 'it was declined' : 'the question was cancelled'
  const message = `The call of ${called} was not approved: ${reason}.`
  return { status: 403, code: 'not_approved', message }
}

/** The run as one of a new attempt. From then on every earlier attempt is refused. */
export async function nextAttempt(
  scope: Scope,
  { question: _, ...run }: KeptRun,
  more: Partial<KeptRun> = {},
): Promise<KeptRun> {
  const { platform } = scope
  const next: KeptRun = {
    ...run,
    state: 'working',
    attempt: run.attempt + 1,
    nonce: platform.randomUUID(),
    beatAt: platform.now(),
    ...more,
  }
  await saveRun(scope, next)
  return next
}
