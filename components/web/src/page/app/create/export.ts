/** A conversation as a file: JSON that can be imported again, or Markdown to read. */
import { type Head, readConversation } from '../chat/archive/archive.ts'
import { saveNow } from '../chat/saving.ts'
import { type Message, readMessage } from '../chat/message.ts'
import { nameOf } from './find.ts'

export const FORMAT = 'ftl-conversation'

export async function exportConversation(head: Head, as: 'json' | 'markdown'): Promise<void> {
  saveNow()
  const messages = (await readConversation(head.id))?.texts.flatMap(readMessage) ?? []
  const name = nameOf(head)
  const file = fileName(name)
  if (as === 'markdown') download(`${file}.md`, 'text/markdown', markdownOf(name, messages))
  else {
    const text = JSON.stringify({ format: FORMAT, version: 1, name, messages }, null, 2)
    download(`${file}.json`, 'application/json', text)
  }
}

/** Letters, digits and spaces of any script. */
function fileName(name: string): string {
  const clean = name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return clean === '' ? 'conversation' : clean.slice(0, 60).trim()
}

function markdownOf(name: string, messages: readonly Message[]): string {
  const parts = messages.map(({ role, content, artifacts, data, error }) =>
    [
      role === 'user' ? '## You' : '## Answer',
      // What the user typed is text; what a model answers is Markdown.
      role === 'user' ? escaped(content) : content,
      ...artifacts.map(({ title, url }) => `![${escaped(title)}](${encodeURI(url)})`),
      ...(data?.call ? [`Called \`${data.call.tool.replaceAll('`', '')}\`.`] : []),
      ...(error ? [`> ${escaped(error.message)}`] : []),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  )
  return `${[`# ${escaped(name)}`, ...parts].join('\n\n')}\n`
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&')
}

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
