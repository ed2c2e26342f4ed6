/** What a part of `Intl` gives to a component. */
export interface IntlPart {
  /** Of the object `Intl`. */
  members: Readonly<Record<string, unknown>>
  /** That replace those of the language, such as `toLocaleString`. */
  methods: readonly (readonly [prototype: object, methods: Methods])[]
}

/** Methods of an object literal, because these are not constructors. */
export type Methods = Readonly<Record<string, (...args: never[]) => unknown>>
