/** The policy of a request, checked unless it is known to be valid. */
import { type Policy, type Rule, SIGNED_IN } from './policy.ts'

/**
 * To check 20 rules takes a third of a millisecond, in each request. A verdict about a token is kept under a name that
 * covers the text of the policy, and only after the policy was checked: where it is found, the text is valid.
 */
export class ConfiguredPolicy implements Policy {
  readonly text: string
  readonly signedIn: boolean
  readonly #check: (text: string) => readonly Rule[]
  #isChecked = false
  #rules: readonly Rule[] | undefined

  /** @param check throws an error for a text that is not valid. */
  constructor(text: string, check: (text: string) => readonly Rule[]) {
    this.text = text
    this.signedIn = text === SIGNED_IN
    this.#check = check
  }

  /** @throws {ConfigurationError} */
  get rules(): readonly Rule[] {
    return (this.#rules ??= this.#isChecked ? rulesIn(this.text) : this.#check(this.text))
  }

  /** Only for a text that was checked before. */
  skipCheck(): void {
    this.#isChecked = true
  }

  /** Whether a rule can name a group; it looks at the text only, in which a key may be escaped. */
  get mayNameGroups(): boolean {
    return this.text.includes('groups') || this.text.includes('\\')
  }
}

function rulesIn(text: string): readonly Rule[] {
  return text === SIGNED_IN ? [] : (JSON.parse(text) as Policy).rules
}
