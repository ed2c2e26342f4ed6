/** Programs that a user keeps in this browser. */
import { asArray, asRecord } from '../../net/api.ts'
import { load, save } from '../../local-storage.ts'
import { createStore } from '../../store.ts'

export interface Draft {
  name: string
  code: string
}

const KEY = 'code.drafts'
const TEXT = 'code.text'
const MOST = 50
/** Characters: a longer one is refused by the gateway, too. */
const LONGEST = 100_000

export const drafts = createStore<readonly Draft[]>(
  asArray(load(KEY)).flatMap((entry) => {
    const { name, code } = asRecord(entry)
    return typeof name === 'string' && typeof code === 'string' ? [{ name, code }] : []
  }),
)

/** Replaces the one with this name. */
export function keepDraft(name: string, code: string): void {
  const others = drafts.get().filter((draft) => draft.name !== name)
  put([{ name, code: code.slice(0, LONGEST) }, ...others].slice(0, MOST))
}

export function removeDraft(name: string): void {
  put(drafts.get().filter((draft) => draft.name !== name))
}

function put(next: readonly Draft[]): void {
  drafts.set(() => next)
  save(KEY, next)
}

/** What was in the editor before a reload. */
export function lastText(): string | undefined {
  const code = load(TEXT)
  return typeof code === 'string' ? code : undefined
}

export function keepText(code: string): void {
  if (code.length <= LONGEST) save(TEXT, code)
}
