/** Parts of a tool's result. Nothing of it is ever markup. */
import { Icon } from './icons.tsx'
import { readResult, type Shown } from './net/result.ts'

export function ResultView({ result }: { result: unknown }) {
  const { shown, isError } = readResult(result)
  return (
    <div class={isError ? 'result is-error' : 'result'}>
      {isError && <p class="problem">The tool says it failed:</p>}
      {shown.map((item, index) => (
        <ShownView key={index} item={item} />
      ))}
      {shown.length === 0 && <p class="faint">It answered with nothing.</p>}
    </div>
  )
}

export function ShownView({ item }: { item: Shown }) {
  switch (item.kind) {
    case 'text':
      return <p class="said">{item.text}</p>
    case 'image':
      return (
        <a class="frame" href={item.url} target="_blank" rel="noopener">
          <img src={item.url} alt={item.name} loading="lazy" />
        </a>
      )
    case 'file':
      return (
        <a class="button small" href={item.url} download={item.name}>
          <Icon name="download" /> {item.name} ({item.mimeType || 'file'})
        </a>
      )
    case 'link':
      return (
        <a href={item.url} target="_blank" rel="noopener noreferrer">
          {item.name}
        </a>
      )
    case 'json':
      return (
        <details class="json">
          <summary>Details</summary>
          <pre tabIndex={0}>{JSON.stringify(item.value, null, 2)}</pre>
        </details>
      )
  }
}
