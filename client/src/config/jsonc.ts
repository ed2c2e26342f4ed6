/** Strings are kept; comments and commas before a closing bracket are what is looked for. */
const TOKENS =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g

/**
 * JSON as editors write it, with comments and trailing commas: VS Code allows both in its `mcp.json`.
 *
 * @throws {SyntaxError} of `JSON.parse`; positions are those of `text`, because what is taken out leaves spaces.
 */
export function parseJsonc(text: string): unknown {
  return JSON.parse(
    text
      .replace(/^\uFEFF/, '')
      .replace(TOKENS, (token) => (token.startsWith('"') ? token : token.replace(/[^\n]/g, ' '))),
  )
}
