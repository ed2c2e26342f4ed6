/** The question of a paused run, for clients that cannot be asked by it: they get a token. */
import type { Settled } from '../invoke/outcome.ts'
import type { Scope } from '../scope.ts'
import type { AttemptEnd } from './attempt.ts'
import type { KeptRun, RunCall, RunQuestion } from './kept-run.ts'
import { createRunToken } from './run-token.ts'

export async function confirmation(
  scope: Scope,
  run: KeptRun,
  question: RunQuestion,
): Promise<Settled> {
  const message = `The program waits for its call ${question.seq}, which runs only after a person has approved it. ${String(question.ask.params?.message)}`
  const token = await createRunToken(scope, { ...run, question })
  const approval = { component: scope.settings.codeComponent, ...token }
  return { kind: 'needs-approval', message, approval }
}

/** How the job of a run ends: for a client that is not asked by the job, a pause ends it with a token. */
export async function endForJob(
  scope: Scope,
  run: KeptRun,
  { asksByJob }: RunCall,
  end: AttemptEnd,
): Promise<AttemptEnd> {
  if (end.kind !== 'paused' || asksByJob) return end
  return { kind: 'ended', settled: await confirmation(scope, run, end.question) }
}
