/** A tool as the editor shows it beside a completion. Texts of components are text, never markup. */
import { access, type ProgramTool } from '../declared/program-tools.ts'
import { descriptionOf, type Member, membersOf, typeOf } from '../declared/shape.ts'

const MOST_SHOWN = 12
const LONGEST = 400

export function toolCard(tool: ProgramTool): HTMLElement {
  const card = element('div', 'tool-card')
  card.append(
    element('code', 'tool-name', `tools${access(tool.component)}${access(tool.name)}`),
    element('p', '', short(tool.description)),
  )
  list(card, 'Arguments', membersOf(tool.input))
  if (tool.output) list(card, 'Result', membersOf(tool.output))
  return card
}

function list(card: HTMLElement, title: string, members: Member[]): void {
  if (members.length === 0) return
  const entries = element('dl', '')
  for (const { name, shape, isRequired } of members.slice(0, MOST_SHOWN)) {
    const term = element('dt', '')
    term.append(
      element('code', '', isRequired || title === 'Result' ? name : `${name}?`),
      element('span', 'faint', ` ${typeOf(shape)}`),
    )
    entries.append(term)
    const about = short(descriptionOf(shape))
    if (about !== '') entries.append(element('dd', '', about))
  }
  const more = members.length - MOST_SHOWN
  if (more > 0) entries.append(element('dt', 'faint', `and ${more} more`))
  card.append(element('p', 'card-title', title), entries)
}

function element(name: string, style: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  if (style !== '') made.className = style
  made.textContent = text
  return made
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
