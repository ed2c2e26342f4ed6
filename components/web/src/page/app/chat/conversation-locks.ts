/** Locks conversations for this tab: two tabs that write one conversation would overwrite each other's messages. */

const claimed = new Set<string>()

/** @returns `false` if another tab has it. Without locks (plain `http`), a save finds out instead. */
export async function claim(id: string): Promise<boolean> {
  if (claimed.has(id) || !('locks' in navigator)) return true
  const isFree = await new Promise<boolean>((resolve) => {
    void navigator.locks.request(`ftl.chat.${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      // Held until the tab is closed.
      return lock === null ? undefined : new Promise(() => {})
    })
  })
  if (isFree) claimed.add(id)
  return isFree
}
