/** Parts of a tool's result. Nothing of it is ever markup. */
import { useState } from 'preact/hooks'
import { useAddress } from './jobs/file-links.ts'
import { readResult, type Shown } from './net/result.ts'
import { LongText, PartList } from './part-list.tsx'
import { LoadedFile } from './picture/loaded-file.tsx'
import { Broken, Still, UnshownView } from './picture/picture-views.tsx'

/** Parts of a result that are in the document at first. */
export const MOST_PARTS = 40

export function ResultView({ result }: { result: unknown }) {
  const { shown, isError } = readResult(result)
  return (
    <div class={isError ? 'result is-error' : 'result'}>
      {isError && <p class="problem">The tool says it failed:</p>}
      <PartList
        items={shown}
        step={MOST_PARTS}
        words="parts"
        view={(item, index) => <ShownView key={index} item={item} />}
      />
      {shown.length === 0 && <p class="faint">It answered with nothing.</p>}
    </div>
  )
}

export function ShownView({ item }: { item: Shown }) {
  switch (item.kind) {
    case 'text':
      if (item.note === undefined) return <LongText text={item.text} />
      return (
        <p class="said">
          {item.text} <span class="faint">({item.note})</span>
        </p>
      )
    case 'unshown':
      return <UnshownView item={item} />
    case 'image':
    case 'file':
      return <FileView item={item} />
    case 'link':
      return (
        <p>
          <a href={item.url} target="_blank" rel="noopener noreferrer">
            {item.name}
          </a>{' '}
          <span class="faint small-text">{new URL(item.url).host}</span>
        </p>
      )
    case 'json':
      return <Details value={item.value} />
  }
}

/** The text is made when it is opened. */
function Details({ value }: { value: unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="json" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Details</summary>
      {isOpen && <LongText isCode text={JSON.stringify(value, null, 2)} />}
    </details>
  )
}

function FileView({ item }: { item: Extract<Shown, { kind: 'image' | 'file' }> }) {
  const address = useAddress(item.url)
  const [isBroken, setBroken] = useState(false)
  if (address === undefined) return <p class="faint">{item.name}</p>
  if (item.kind === 'image') {
    if (isBroken) return <Broken name={item.name} address={address} />
    return (
      <Still isAnimated={item.isAnimated}>
        <a class="frame" href={address} target="_blank" rel="noopener">
          <img
            src={address}
            alt={item.name}
            loading="lazy"
            decoding="async"
            onError={() => setBroken(true)}
          />
        </a>
      </Still>
    )
  }
  return <LoadedFile address={address} name={item.name} mimeType={item.mimeType} />
}
