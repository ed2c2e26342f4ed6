/** Settings read from the variables of a component: each is parsed when it is first used. */

/** A variable of the component has an unusable value. Shown to the client, so it must not contain a secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  constructor(variable: string, problem: string) {
    super(`The variable "${variable}" ${problem}.`)
  }
}

/** Throws an error with this problem. The text is shown to clients. */
export type Refuse = (problem: string) => never

/** @param text the variable without white space around it; empty when it is not set. */
export type Parse<T> = (text: string, refuse: Refuse) => T

/**
 * The variable of each setting, and how its text becomes the value.
 *
 * `undeclared` is its text in an application that does not declare it. @default ''
 */
export type SettingVariables<T> = {
  [K in keyof T]: [variable: string, parse: Parse<T[K]>, undeclared?: string]
}

/** Reads the variables of a component. */
export interface VariableReader {
  get(name: string): string | undefined
}

/** Creates the settings of one request. Every member throws {@link ConfigurationError} if its variable is unusable. */
export interface SettingsOf<T> {
  (variables: VariableReader): T
  /**
   * Parses texts that most applications have, so that no request has to. While the component is built; requests share
   * the values.
   *
   * @param texts by variable.
   */
  learn(texts: Readonly<Record<string, readonly string[]>>): void
}

/** Defines settings at module scope, so that a request parses only the members it uses. */
export function defineSettings<T extends object>(table: SettingVariables<T>): SettingsOf<T> {
  const learnt: { variable: string; learn: (text: string) => void }[] = []
  class Settings {
    readonly #variables: VariableReader
    constructor(variables: VariableReader) {
      this.#variables = variables
    }

    static textOf(settings: Settings, variable: string, undeclared: string): string {
      return settings.#variables.get(variable)?.trim() ?? undeclared
    }
  }
  type Entry = [string, Parse<unknown>, string?]
  for (const [name, [variable, parse, undeclared = '']] of Object.entries<Entry>(table)) {
    const refuse: Refuse = (problem) => {
      throw new ConfigurationError(variable, problem)
    }
    // Most variables are not set. An empty text has the same value in every request, so it is parsed once, when the
    // component is built.
    const known = new Map<string, unknown>()
    const learn = (text: string) => {
      const value = parse(text, refuse)
      known.set(text, value)
      return value
    }
    learnt.push({ variable, learn })
    Object.defineProperty(Settings.prototype, name, {
      get(this: Settings) {
        const text = Settings.textOf(this, variable, undeclared)
        const value = known.has(text)
          ? known.get(text)
          : text === '' || text === undeclared
            ? learn(text)
            : parse(text, refuse)
        Object.defineProperty(this, name, { value })
        return value
      },
    })
  }
  return Object.assign((variables: VariableReader) => new Settings(variables) as unknown as T, {
    learn(texts: Readonly<Record<string, readonly string[]>>) {
      for (const { variable, learn } of learnt) {
        if (Object.hasOwn(texts, variable)) texts[variable]?.forEach(learn)
      }
    },
  })
}
