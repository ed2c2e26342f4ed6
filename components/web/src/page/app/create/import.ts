/** Takes a conversation from a file that this page has exported. */
import { renameConversation } from '../chat/archive/archive.ts'
import { addConversation } from '../chat/tab-conversations.ts'
import { readMessage } from '../chat/message.ts'
import { asArray, asRecord, text } from '../net/api.ts'
import { FORMAT } from './export.ts'

/** Bytes. */
const LARGEST = 200_000_000
const LONGEST_NAME = 120

/** Adds it to the conversations and shows it. @returns what is wrong with the file; empty if it was taken. */
export async function readExport(file: File): Promise<string> {
  if (file.size > LARGEST) return `${file.name} is larger than 200 MB.`
  let value: Record<string, unknown>
  try {
    value = asRecord(JSON.parse(await file.text()))
  } catch {
    return `${file.name} is not JSON. Choose a file that was exported as JSON.`
  }
  if (value['format'] !== FORMAT) {
    return `${file.name} is not a conversation. Choose a file that was exported here as JSON.`
  }
  const seen = new Set<string>()
  const messages = asArray(value['messages'])
    .flatMap((message) => readMessage(JSON.stringify(message)))
    .filter(({ id }) => !seen.has(id) && seen.add(id))
  if (messages.length === 0) return `${file.name} has no messages that can be read.`
  const id = await addConversation(messages)
  const name = text(value['name'])?.slice(0, LONGEST_NAME) ?? ''
  if (name !== '') await renameConversation(id, name)
  return ''
}
