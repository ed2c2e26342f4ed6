/**
 * Calls that a person must approve, one after the other. Only {@link ApprovalDialog} decides: what models and tools say is
 * never part of the page's own dialogs.
 */
import { createStore } from '../store.ts'

export interface Question {
  tool: string
  component: string
  /** The approval is valid for exactly these. */
  arguments: Record<string, unknown>
  /** Who wants the call. */
  asker: string
}

export interface Asked extends Question {
  /** Different for each question. */
  number: number
  decide: (isApproved: boolean) => void
}

/** The first one is shown. */
export const questions = createStore<readonly Asked[]>([])
let count = 0

/** Resolves with the decision; with `false` when `signal` is aborted. */
export function askPerson(question: Question, signal?: AbortSignal | null): Promise<boolean> {
  return new Promise((resolve) => {
    const decide = (isApproved: boolean) => {
      questions.set((all) => all.filter((other) => other !== asked))
      signal?.removeEventListener('abort', withdraw)
      resolve(isApproved)
    }
    const withdraw = () => decide(false)
    const asked: Asked = { ...question, number: ++count, decide }
    if (signal?.aborted) return resolve(false)
    signal?.addEventListener('abort', withdraw)
    questions.set((all) => [...all, asked])
  })
}
