/** Which component each tool belongs to. Only the list for chats says it. */
import { asRecord, getJson, text } from '../../net/api.ts'
import { createStore } from '../../store.ts'

export const owners = createStore<ReadonlyMap<string, string>>(new Map())

export async function loadOwners(): Promise<void> {
  try {
    const listed = asRecord(asRecord(await getJson('/tools?format=chat&tools=all'))['owners'])
    const pairs = Object.values(listed).flatMap((owner): [string, string][] => {
      const { name, component } = asRecord(owner)
      const known = text(name)
      return known === undefined ? [] : [[known, text(component) ?? '']]
    })
    owners.set(() => new Map(pairs))
  } catch {
    // Then the tools are one group.
  }
}
