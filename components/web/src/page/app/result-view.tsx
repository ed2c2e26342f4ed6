/** Parts of a tool's result. Nothing of it is ever markup. */
import { Icon } from './icons.tsx'
import { useAddress } from './jobs/links.ts'
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
    case 'file':
      return <FileView item={item} />
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

function FileView({ item }: { item: Extract<Shown, { kind: 'image' | 'file' }> }) {
  const address = useAddress(item.url)
  if (address === undefined) return <p class="faint">{item.name}</p>
  if (item.kind === 'image') {
    return (
      <a class="frame" href={address} target="_blank" rel="noopener">
        <img src={address} alt={item.name} loading="lazy" />
      </a>
    )
  }
  return (
    <a class="button small" href={address} download={item.name}>
      <Icon name="download" /> {item.name} ({item.mimeType || 'file'})
    </a>
  )
}
