/** A name for the component of an API. */
import { basename, extname } from 'node:path'
import { type Fields, textOf } from './references.ts'

/** Words that each title has. */
const EMPTY =
  /^(the|rest|api|apis|http|web|public|openapi|swagger|specification|spec|v?\d+(\.\d+)*)$/i
const MAX_WORDS = 3

/** From the title: "GitHub v3 REST API" becomes `github`. */
export function suggestedName({ info }: Fields, source: string): string {
  const title = textOf((info as Fields | undefined)?.['title']) ?? ''
  const file = basename(source.split(/[?#]/)[0] ?? '')
  return named(title.slice(0, 200)) || named(basename(file, extname(file))) || 'http-api'
}

function named(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter((word) => word !== '' && !EMPTY.test(word))
    .flatMap((word) => word.split('.'))
    .filter((word) => /^[a-z]/.test(word))
  return words.slice(0, MAX_WORDS).join('-')
}
