/** The named types of a text of declarations. */

/** Types of one text. */
const MOST_TYPES = 200

export class TypeNames {
  /** Begins the names of the next types. */
  prefix = ''
  readonly #byTarget = new Map<object, string>()
  readonly #texts = new Map<string, string>()
  /** For each type the ones that its text is, or is a union or intersection of. */
  readonly #direct = new Map<string, Set<string>>()

  /**
   * @param ref the name is made of its last part.
   * @param write writes the type; it is called once for each target.
   * @returns `undefined` if there are too many types.
   */
  of(target: object, ref: string, write: (name: string) => string): string | undefined {
    const known = this.#byTarget.get(target)
    if (known !== undefined) return known
    if (this.#texts.size >= MOST_TYPES) return undefined
    const name = this.#free(this.prefix + typeName(ref.slice(ref.lastIndexOf('/') + 1)))
    this.#byTarget.set(target, name)
    this.#texts.set(name, 'unknown')
    this.#texts.set(name, write(name))
    return name
  }

  /**
   * Whether the text of `within` may be `name`, or a union with it. It may not if `name` is defined by `within` the same way:
   * TypeScript refuses a type that is itself.
   */
  mayBe(within: string | undefined, name: string): boolean {
    if (within === undefined) return true
    if (within === name || this.#reaches(name, within)) return false
    const direct = this.#direct.get(within) ?? new Set()
    this.#direct.set(within, direct.add(name))
    return true
  }

  /** A line for each type. */
  declarations(): string[] {
    return [...this.#texts].map(([name, text]) => `type ${name} = ${text}`)
  }

  #reaches(from: string, to: string): boolean {
    for (const next of this.#direct.get(from) ?? []) {
      if (next === to || this.#reaches(next, to)) return true
    }
    return false
  }

  #free(wanted: string): string {
    let name = wanted
    for (let number = 2; this.#texts.has(name); number++) name = `${wanted}${number}`
    return name
  }
}

/** Letters and digits in one word, each part with a capital letter. */
export function typeName(text: string): string {
  const words = text.slice(0, 100).match(/[A-Za-z0-9]+/g) ?? []
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') || 'Self'
}
