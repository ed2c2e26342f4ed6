import type { Table } from './table.ts'

/**
 * An id for each HTTP trigger: its own, else the one Spin gives it. A static response is known by nothing else.
 */
export function triggerIds(triggers: readonly Table[]): string[] {
  const own = triggers.map((trigger) => trigger.optionalString('id'))
  const taken = new Set(own.filter((id) => id !== undefined))
  return triggers.map((trigger, index) => {
    const id = own[index] ?? natural(trigger, taken) ?? counted(taken)
    taken.add(id)
    return id
  })
}

function natural(trigger: Table, taken: ReadonlySet<string>): string | undefined {
  const component = trigger.raw('component')
  if (typeof component !== 'string') return undefined
  const id = `${component}-http-trigger`
  return taken.has(id) ? undefined : id
}

function counted(taken: ReadonlySet<string>): string {
  for (let counter = 1; ; counter++) {
    if (!taken.has(`http-trigger${counter}`)) return `http-trigger${counter}`
  }
}
