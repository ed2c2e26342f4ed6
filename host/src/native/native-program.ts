/** A gateway that runs beside the components. It can go to a worker thread. */
export interface NativeProgram {
  readonly kind: 'native'
  /** JavaScript that leaves its module in the variable `gateway`. */
  readonly code: string
  /** Features that its component was built without. */
  readonly without: readonly string[]
}
