/** Changes to a message's JSON that a serializer would not make: raw text in place of a value, a key twice. */

export type Edit =
  /** `raw` is JSON, or nearly. */
  | { kind: 'replace'; at: number; raw: string }
  | { kind: 'drop'; at: number }
  | { kind: 'add'; at: number; key: string; raw: string }
  /** The same key once more, with another value. */
  | { kind: 'repeat'; at: number; raw: string }

interface Place {
  holder: Record<string, unknown> | unknown[]
  key: string
}

/** @returns the message as text after all edits, each at the place its number picks. */
export function mutated(message: unknown, edits: readonly Edit[]): string {
  const root = { message: structuredClone(message) }
  const raws: [mark: string, raw: string][] = []
  edits.forEach((edit, index) => {
    const places = placesOf(root)
    const place = places[edit.at % places.length]
    if (!place) return
    const mark = `@@${index}@@`
    const holder = place.holder as Record<string, unknown>
    const value = holder[place.key]
    switch (edit.kind) {
      case 'replace':
        raws.push([JSON.stringify(mark), edit.raw])
        holder[place.key] = mark
        break
      case 'drop':
        if (holder !== root) Reflect.deleteProperty(holder, place.key)
        break
      case 'add':
        if (typeof value !== 'object' || value === null) break
        raws.push([`${JSON.stringify(mark)}:0`, `${JSON.stringify(edit.key)}:${edit.raw}`])
        Object.assign(value, { [mark]: 0 })
        break
      case 'repeat':
        if (Array.isArray(holder) || holder === root) break
        raws.push([`${JSON.stringify(mark)}:0`, `${JSON.stringify(place.key)}:${edit.raw}`])
        holder[mark] = 0
    }
  })
  const text = JSON.stringify(root.message) ?? ''
  return raws.reduce((done, [mark, raw]) => done.replace(mark, () => raw), text)
}

function placesOf(root: object): Place[] {
  const found: Place[] = []
  const visit = (holder: Place['holder']) => {
    for (const [key, value] of Object.entries(holder)) {
      found.push({ holder, key })
      if (typeof value === 'object' && value !== null) visit(value as Place['holder'])
    }
  }
  visit(root as Record<string, unknown>)
  return found
}
