/** The demo model: a few rules that show what a chat with tools is like, without a model. */
import { type ScriptedCall, type ScriptedTurn, textOf, type WireMessage } from './script.ts'

const PICTURE = /\b(draw|paint|sketch|picture|image|illustration|photo)\b/i
const REQUEST =
  /^\s*(please\s+)?(can you\s+|could you\s+)?((draw|paint|sketch|make|create|generate|show)(\s+me)?\s+)?((a|an|the)\s+(picture|image|painting|drawing|sketch|illustration|photo)\s+(of|with|showing)\s+)?/i
const ARITHMETIC = /[\d(][\d\s.()]*([-+*/^][\d\s.()]*)+/g

/** @param tools names of the functions it was given. */
export function demoTurn(messages: readonly WireMessage[], tools: readonly string[]): ScriptedTurn {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const results = messages.slice(asked + 1).filter(({ role }) => role === 'tool')
  const text = textOf(messages[asked]?.content)
  const calls = wanted(text).filter(({ name }) => tools.includes(name))
  if (results.length > 0) return { content: results.map(said).join(' ') }
  if (calls.length > 0) return { calls }
  return { content: introduction(text, tools) }
}

function wanted(text: string): ScriptedCall[] {
  const calls: ScriptedCall[] = []
  if (PICTURE.test(text)) {
    const prompt = text.replace(REQUEST, '').trim() || text.trim()
    calls.push({ name: 'generate_image', arguments: { prompt } })
  }
  const [expression] = text.match(ARITHMETIC) ?? []
  if (expression !== undefined && /\d\s*[-+*/^]\s*[\d(]/.test(expression)) {
    calls.push({ name: 'calculator', arguments: { expression: expression.trim() } })
  }
  return calls
}

function said({ content }: WireMessage): string {
  const text = textOf(content)
  if (/^(Error:|\{"error")/.test(text)) return `That did not work. The tool said: ${text}`
  if (/already shown/.test(text)) return 'Here it is.'
  return /^-?[\d.,e+]+$/.test(text.trim()) ? `That makes ${text.trim()}.` : text
}

function introduction(text: string, tools: readonly string[]): string {
  const can = [
    tools.includes('generate_image') && '“draw a lighthouse at dusk”',
    tools.includes('calculator') && '“what is 6*7?”',
  ].filter((word) => word !== false)
  const hint = can.length === 0 ? '' : ` Try ${can.join(' or ')}.`
  const shown = text.trim().slice(0, 200)
  return `You said: “${shown}”. I am the demo model: a few rules that call tools, and no language model.${hint} Set llm_url to talk to a real one.`
}
