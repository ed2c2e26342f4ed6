/** The user's settings of the chat, and the state of the model. */
import { ApiError, asRecord, getJson, text } from '../net/api.ts'
import { savedStore } from '../local-storage.ts'
import { createStore } from '../store.ts'

/** `blocked`: names of components whose tools are not offered to the model. */
export const settings = savedStore<{ blocked: string[] }>('settings', { blocked: [] })

export interface Model {
  state: 'asking' | 'ready' | 'none' | 'unreachable'
  name: string
  /** Why no model is available, and what to do. */
  words: string
}

export const model = createStore<Model>({ state: 'asking', name: '', words: '' })

const WITHOUT_CHAT =
  'This application has no chat component: add it to spin.toml, as docs/chat.md says.'

export async function loadModel(): Promise<void> {
  try {
    const found = asRecord(await getJson('/api/chat'))
    const words = [found['reason'], found['how']].flatMap((part) => text(part) ?? []).join(' ')
    const state = found['configured'] === true ? 'ready' : 'none'
    model.set(() => ({ state, name: text(found['model']) ?? '', words }))
  } catch (error) {
    const isAbsent = error instanceof ApiError && error.status === 404
    if (isAbsent) model.set(() => ({ state: 'none', name: '', words: WITHOUT_CHAT }))
    else if (error instanceof ApiError && error.status === 401)
      model.set((known) => ({ ...known, state: 'asking' }))
    else model.set((known) => ({ ...known, state: 'unreachable' }))
  }
}
