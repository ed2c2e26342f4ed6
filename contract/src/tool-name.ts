/**
 * Names of tools that providers of models take. One other name costs their users all tools: OpenAI, Anthropic and Claude
 * Desktop refuse the whole request for a dot, OpenAI and Claude Desktop for more than 64 characters, and Gemini and Kimi for
 * a digit at the beginning. The protocol permits 128 characters, and dots.
 *
 * @see https://github.com/github/copilot-cli/issues/2581
 * @see https://github.com/21st-dev/magic-mcp/issues/37
 */

import { fnv1a } from './fnv1a.ts'

const FITS = /^[A-Za-z_][\w-]{0,63}$/
/** Characters in front of the digits that tell shortened names apart. */
const KEPT = 55

/**
 * Makes a tool's name that follows these rules of any text. Other characters become `_`, and a name that does not begin with a
 * letter or `_` gets `tool_` in front.
 *
 * @param text a server's name of its tool, or the name of a file. It has at least one character.
 */
export function toolName(text: string): string {
  const plain = /[^ -~]/.test(text) ? ofOtherScript(text) : text.replace(/[^\w-]/g, '_')
  return functionName(/^[A-Za-z_]/.test(plain) ? plain : `tool_${plain}`)
}

/**
 * A name of 1 to 64 letters, digits, `_` and `-`, which OpenAI takes for a function, with a letter or `_` first, as Gemini
 * wants it. One that fits is kept. Any other has `_` for what may not be, or in front, at most 55 characters of it, and then `_` and
 * eight hexadecimal digits made from all of it: so it does not depend on which other tools there are.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function functionName(name: string): string {
  return FITS.test(name) ? name : marked(name.replace(/[^\w-]|^(?=[\d-])/g, '_'), name)
}

/** Otherwise, all names of three characters would be one. */
function ofOtherScript(text: string): string {
  const words = text.split(/[^\w-]+/).filter((word) => word !== '')
  return marked(words.join('_') || 'tool', text)
}

function marked(name: string, whole: string): string {
  return `${name.slice(0, KEPT)}_${fnv1a(whole).toString(16).padStart(8, '0')}`
}
