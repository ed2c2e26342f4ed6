/** Arithmetic by precedence climbing: no code is generated, so an expression can do nothing but arithmetic. */

/** The expression cannot be read or has no finite value; the message says where. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

/** Nested parentheses allowed; deeper ones would only exhaust the stack. */
const MAX_DEPTH = 100

const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

const FUNCTIONS = new Map<string, { arity: number | 'any'; apply(...values: number[]): number }>([
  ['sqrt', { arity: 1, apply: Math.sqrt }],
  ['abs', { arity: 1, apply: Math.abs }],
  ['round', { arity: 1, apply: Math.round }],
  ['floor', { arity: 1, apply: Math.floor }],
  ['ceil', { arity: 1, apply: Math.ceil }],
  ['min', { arity: 'any', apply: Math.min }],
  ['max', { arity: 'any', apply: Math.max }],
  ['ln', { arity: 1, apply: Math.log }],
  ['log10', { arity: 1, apply: Math.log10 }],
  ['sin', { arity: 1, apply: Math.sin }],
  ['cos', { arity: 1, apply: Math.cos }],
  ['tan', { arity: 1, apply: Math.tan }],
])

const BINARY = new Map<string, { precedence: number; apply(a: number, b: number): number }>([
  ['+', { precedence: 1, apply: (a, b) => a + b }],
  ['-', { precedence: 1, apply: (a, b) => a - b }],
  ['*', { precedence: 2, apply: (a, b) => a * b }],
  ['/', { precedence: 2, apply: divide }],
  ['%', { precedence: 2, apply: remainder }],
  ['^', { precedence: 4, apply: Math.pow }],
])
/** `-2 ^ 2` is -4 and `2 ^ -1` is 0.5, as in mathematics. */
const UNARY_PRECEDENCE = 3

const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|([-+*/%^(),]))/y

interface Token {
  kind: 'number' | 'name' | 'sign'
  text: string
  /** 1-based column. */
  at: number
}

/** @throws {ExpressionError} */
export function evaluate(expression: string): number {
  const parser = new Parser(tokenize(expression))
  const value = parser.expression(0, 0)
  parser.end()
  if (!Number.isFinite(value)) throw new ExpressionError('The result is not a finite number.')
  return value
}

class Parser {
  readonly #tokens: Token[]
  #next = 0
  constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  expression(minimum: number, depth: number): number {
    if (depth > MAX_DEPTH) throw new ExpressionError(`More than ${MAX_DEPTH} levels of nesting.`)
    let left = this.#operand(depth)
    for (;;) {
      const token = this.#tokens[this.#next]
      const operator = token?.kind === 'sign' ? BINARY.get(token.text) : undefined
      if (!token || !operator || operator.precedence < minimum) return left
      this.#next++
      // Right-associative for ^, left-associative for the others.
      const right = this.expression(operator.precedence + (token.text === '^' ? 0 : 1), depth + 1)
      left = operator.apply(left, right)
    }
  }

  end(): void {
    const token = this.#tokens[this.#next]
    if (token) throw unexpected(token)
  }

  #operand(depth: number): number {
    const token = this.#tokens[this.#next++]
    if (!token) throw new ExpressionError('The expression ends where a number is expected.')
    if (token.kind === 'number') return Number(token.text)
    if (token.kind === 'name') return this.#named(token, depth)
    if (token.text === '-') return -this.expression(UNARY_PRECEDENCE, depth + 1)
    if (token.text === '+') return this.expression(UNARY_PRECEDENCE, depth + 1)
    if (token.text !== '(') throw unexpected(token)
    const value = this.expression(0, depth + 1)
    this.#expect(')')
    return value
  }

  #named(token: Token, depth: number): number {
    const constant = CONSTANTS.get(token.text)
    if (constant !== undefined) return constant
    const called = FUNCTIONS.get(token.text)
    if (!called) throw new ExpressionError(`Unknown name "${token.text}" at column ${token.at}.`)
    this.#expect('(')
    const values = [this.expression(0, depth + 1)]
    while (this.#tokens[this.#next]?.text === ',') {
      this.#next++
      values.push(this.expression(0, depth + 1))
    }
    this.#expect(')')
    if (called.arity !== 'any' && values.length !== called.arity) {
      throw new ExpressionError(`${token.text} takes ${called.arity} value, not ${values.length}.`)
    }
    return called.apply(...values)
  }

  #expect(text: string): void {
    const token = this.#tokens[this.#next++]
    if (!token) throw new ExpressionError(`The expression ends where "${text}" is expected.`)
    if (token.text !== text) throw unexpected(token)
  }
}

function tokenize(expression: string): Token[] {
  const tokens: Token[] = []
  const text = expression.trimEnd()
  let at = 0
  while (at < text.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (!found) {
      const column = at + 1 + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0)
      throw new ExpressionError(`Unexpected "${text[column - 1]}" at column ${column}.`)
    }
    const [, number, name, sign] = found
    const token = number ?? name ?? sign ?? ''
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign'
    tokens.push({ kind, text: token, at: TOKEN.lastIndex - token.length + 1 })
    at = TOKEN.lastIndex
  }
  return tokens
}

function divide(a: number, b: number): number {
  if (b === 0) throw new ExpressionError('Division by zero.')
  return a / b
}

function remainder(a: number, b: number): number {
  if (b === 0) throw new ExpressionError('Division by zero.')
  return a % b
}

function unexpected({ text, at }: Token): ExpressionError {
  return new ExpressionError(`Unexpected "${text}" at column ${at}.`)
}
