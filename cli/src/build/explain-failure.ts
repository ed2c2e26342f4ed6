/**
 * Explains to an author why a module could not be initialised: the problem, the line of the author's code, and the fix.
 */
import { relative, sep } from 'node:path'
import type { Bundle } from './bundle.ts'
import { engineHint } from './hints.ts'
import { leftOutHint, mayBeLeftOut, readLeftOut } from './left-out-for-browsers.ts'
import { excerpt } from './source-excerpt.ts'
import { visible } from '../terminal/visible-text.ts'
import { type OriginalPlace, originalPlace, parseMap } from './source-map.ts'

/** What Wizer says around the words of the engine. */
const NOISE = /wasm backtrace|!<wasm function|wizer|^Stack:?$|^Caused by:?$/i

/** The kind says nothing that the words do not. */
const KIND = /^\s*(Uncaught )?\w*(Error|Exception|Schema): /

/** Values at module scope become part of the component. */
const MEMORY = 'Hold less at module scope: it runs while the component is built'

const SHOWN_LINES = 12

/**
 * @param text what the builder has printed.
 * @param known where the author's code is that it is about, if the text does not say so.
 */
export function explainFailure(
  text: string,
  id: string,
  { map, entry, ours, inputs }: Pick<Bundle, 'map' | 'entry' | 'ours' | 'inputs'>,
  known: readonly OriginalPlace[] = [],
): string {
  const sourceMap = parseMap(map)
  const inBundle = new RegExp(`\\S*${id}\\.js:(\\d+):(\\d+)`)
  const words: string[] = []
  const frames: OriginalPlace[] = []
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || NOISE.test(line)) continue
    const [found = '', row, column] = inBundle.exec(line) ?? []
    const place =
      found === ''
        ? undefined
        : originalPlace(sourceMap, process.cwd(), Number(row), Number(column))
    if (place) frames.push(place)
    // The first names the place before the words, the others are a place and nothing else.
    const rest = found === '' ? line : line.replace(found, '').replace(KIND, '').trim()
    if (rest !== '') words.push(rest)
  }
  const inner =
    frames[0] && mayBeLeftOut(text) ? leftOutHint(readLeftOut(map), frames[0].file) : undefined
  const message = [withRemedy(words.slice(0, SHOWN_LINES).join('\n')), inner]
    .filter((part) => part !== undefined)
    .join('. ')
  const named = frames.filter(({ file }) => isAuthors(file, ours))
  const theirs = named.length > 0 ? named : known
  const [first, ...others] = distinct(theirs)
  // Where only ours are on the way it is what the entry exports.
  if (!first) return `${visible(shown(entry))}: ${message}`
  const { line, column } = first
  const callers = others.map(
    (place) => `    at ${visible(shown(place.file))}:${place.line}:${place.column}`,
  )
  // A package may bring a map that names any file of the machine: only what is in the bundle is read.
  const lineText = inputs.includes(first.file) ? undefined : ''
  const place = {
    file: shown(first.file),
    line,
    column,
    ...(lineText !== undefined && { lineText }),
  }
  return [excerpt(place, message), ...callers].join('\n')
}

function withRemedy(message: string): string {
  // In a call it would be another limit, and another remedy.
  const hint = /\bout of memory\b/.test(message) ? MEMORY : engineHint(message)
  return hint === undefined ? message : `${message}. ${hint}.`
}

/**
 * Neither the SDK, nor a library, nor what the builder adds.
 *
 * @param ours folders of our own modules.
 */
export function isAuthors(file: string, ours: readonly string[]): boolean {
  const made = /[\\/]node_modules[\\/]|\.entry\.js$|ftl:[\w-]+$/.test(file)
  return !made && !ours.some((folder) => file.startsWith(folder + sep))
}

function distinct(places: readonly OriginalPlace[]): OriginalPlace[] {
  const key = ({ file, line }: OriginalPlace) => `${file}:${line}`
  return places.filter((place, at) => places.findIndex((other) => key(other) === key(place)) === at)
}

function shown(file: string): string {
  return relative(process.cwd(), file)
}
