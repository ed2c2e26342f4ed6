/** What the author sees, line by line, and whether it is what it should be. */
export class Transcript {
  readonly #lines: string[] = []
  readonly #hidden: [text: string, shown: string][] = []
  readonly failures: string[] = []
  readonly #print: (text: string) => void
  readonly #begin: (text: string) => void
  passed = 0

  /**
   * @param print receives each line at once.
   * @param begin receives each command before it runs.
   */
  constructor(
    print: (text: string) => void = console.log,
    begin: (text: string) => void = () => undefined,
  ) {
    this.#print = print
    this.#begin = begin
  }

  /** Shows `shown` in place of every occurrence of `text`, such as the path of a temporary folder. */
  hide(text: string, shown: string): void {
    this.#hidden.push([text, shown])
  }

  write(text: string): void {
    const shown = this.#shown(text)
    this.#lines.push(shown)
    this.#print(shown)
  }

  #shown(text: string): string {
    return this.#hidden.reduce((shown, [from, to]) => shown.replaceAll(from, to), text)
  }

  heading(text: string): void {
    this.write(`\n${'─'.repeat(100)}\n${text}\n`)
  }

  /** Says where the reader is. */
  begin(command: string): void {
    this.#begin(this.#shown(command))
  }

  /** What a person does who does not type a command. */
  act(text: string): void {
    this.write(`  » ${text}`)
  }

  check(what: string, holds: boolean): void {
    if (holds) this.passed++
    else this.failures.push(what)
    this.write(holds ? `  ✓ ${what}` : `  ✗ NOT AS EXPECTED: ${what}`)
  }

  figure(what: string, value: string): void {
    this.write(`  = ${what}: ${value}`)
  }

  text(): string {
    return `${this.#lines.join('\n')}\n`
  }
}
