import type { HostileProgram } from './program.ts'

/** Their text is what they attack with. */
export const SOURCE_TEXTS: HostileProgram[] = [
  {
    name: 'has a NUL in its text',
    code: 'return 1\0; evil()',
    back: /^SyntaxError: the program has a character that no text has/,
  },
  {
    name: 'has half of a surrogate pair in its text',
    code: 'return "\ud800".length',
    back: /^SyntaxError: the program has a character that no text has/,
  },
  {
    name: 'returns and logs half of a surrogate pair',
    code: 'console.log("\\ud800"); return ["\\udfff"]',
    back: /^\["\\udfff"\]\n\nConsole:\n/,
  },
  {
    name: 'hides a line by a right-to-left override',
    code: 'const a = "\u202e"; /* \u2066 */ return a.length',
    back: /^1$/,
  },
  {
    name: 'writes a name in other letters',
    code: 'return typeof f\\u0065tch + typeof \\u{66}etch',
    back: /^undefinedundefined$/,
  },
  {
    name: 'has a comment as HTML has it',
    code: '<!-- not a comment\nreturn 1',
    back: /^1$|^SyntaxError/,
  },
  {
    name: 'leaves strict mode',
    code: 'with ({ a: 1 }) { return a }',
    back: /^SyntaxError/,
  },
  {
    name: 'has types that are nested deeply',
    code: `let x: ${'Array<'.repeat(3000)}any${'>'.repeat(3000)} = []; return x`,
    back: /^\[\]$|^SyntaxError|^RangeError/,
  },
  {
    name: 'has a template in a template, without an end',
    code: `return (x as any, ${'`${'.repeat(3000)}`,
    back: /^SyntaxError|^RangeError/,
  },
  {
    name: 'takes a name of the script around it',
    code: 'const exports = 1, require = 2, main = 3; return exports + require + main',
    back: /^6$/,
  },
  {
    name: 'ends with as many semicolons as it may have characters',
    code: `return 1${';'.repeat(99_000)}`,
    back: /^1$/,
  },
  {
    name: 'has a hole of spaces in its middle',
    code: `return 1${' '.repeat(99_000)}+ 1`,
    back: /^2$/,
  },
  {
    name: 'opens type arguments, and closes none',
    code: `return ${'a<'.repeat(20_000)}1`,
    back: /^ReferenceError|^SyntaxError|^RangeError/,
  },
]
