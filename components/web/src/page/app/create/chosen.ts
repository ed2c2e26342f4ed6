/** What is chosen under the composer, for the next pictures. */
import { catalog, type Tool } from '../net/tools.ts'
import { savedStore } from '../local-storage.ts'
import { createStore } from '../store.ts'
import { completed, controlsOf, imageToolOf } from './image-tool.ts'

/** By the name of the argument. It is in memory only: a picture is large. */
export const chosen = createStore<Readonly<Record<string, unknown>>>({})

/** Whether a message goes to the image tool at once, or to the model. */
export const mode = savedStore('create.mode', { draws: false })

export function choose(name: string, value: unknown): void {
  chosen.set((before) => {
    // A mask belongs to one picture.
    const kept = Object.entries(before).filter(
      ([known]) => known !== name && !(name === 'image' && known === 'mask'),
    )
    return Object.fromEntries(value === undefined ? kept : [...kept, [name, value]])
  })
}

/** The image tool with the arguments that are chosen for it. */
export function chosenCall(): { tool: Tool; args: Record<string, unknown> } | undefined {
  const tool = imageToolOf(catalog.get().tools)
  return tool && { tool, args: completed(controlsOf(tool), chosen.get()) }
}
