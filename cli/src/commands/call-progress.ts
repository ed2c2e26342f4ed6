/** What `ftl call` says of a job that it waits for. */
import type { Progress } from 'ftl-client'
import { visible } from '../terminal/visible-text.ts'

/** `Exporting (40 of 100)`: the message, and the numbers as far as they are known. */
export function progressText({ message, progress, total }: Progress): string {
  const numbers =
    progress === undefined ? '' : `${progress}${total === undefined ? '' : ` of ${total}`}`
  if (message === undefined) return numbers
  return visible(message) + (numbers === '' ? '' : ` (${numbers})`)
}

/** What Ctrl-C has left behind, as the end of its message. @param url of the server, where the user has named it. */
export function abandonedText(job: string, url: string | undefined): string {
  const where = url === undefined ? '' : ` --url ${visible(url)}`
  return (
    `\nThe server was asked to stop the job ${visible(job)}. See what became of it:\n` +
    `  npx ftl call get_job job_id=${visible(job)}${where}`
  )
}
