/** Which of the two schemas a tool publishes. */
export type SchemaSubject = 'inputSchema' | 'outputSchema'

/** The published schema itself is wrong or says what cannot be checked here. The message is safe to show. */
export class UnusableSchema extends Error {
  override readonly name = 'UnusableSchema'
  constructor(problem: string, subject: SchemaSubject = 'inputSchema') {
    super(`The tool's ${subject} cannot be used: ${problem}.`)
  }
}
