/** The Markdown of an answer, whose reader is loaded with the first one. */
import { useLoaded } from '../frame/loaded.ts'
import type { MarkdownProps } from './markdown.tsx'

const load = async () => (await import('./markdown.tsx')).Markdown

/** Until the reader is loaded, and where it cannot be, the text is shown as it was written. */
export function LoadedMarkdown(props: MarkdownProps) {
  const { part: Markdown } = useLoaded(load)
  return Markdown ? <Markdown {...props} /> : <div class="markdown raw">{props.text}</div>
}
