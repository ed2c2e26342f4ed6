/** The file cannot be converted; the message says why, and continues "the workflow". */
export class ConversionError extends Error {
  override readonly name = 'ConversionError'
}
