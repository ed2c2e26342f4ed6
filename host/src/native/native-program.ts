/** A component of ours that runs beside those of others: a gateway, for example. It can go to a worker thread. */
export interface NativeProgram {
  readonly kind: 'native'
  /** JavaScript that leaves its module in the variable `native`. */
  readonly code: string
  /** Features that its component was built without. */
  readonly without: readonly string[]
  /** How its component introduces itself to clients. @default by the name of this product */
  readonly server?: object
}

/** Whether it runs beside the components instead of in an engine of its own. */
export function isNative<Other extends object>(
  program: Other | NativeProgram,
): program is NativeProgram {
  return 'kind' in program && program.kind === 'native'
}
