/** A tool's result: its parts as what they are, and its structured content as a tree or a table. */
import { useState } from 'preact/hooks'
import { useAddress } from '../../jobs/file-links.ts'
import { asRecord } from '../../net/api.ts'
import { readResult, type Shown } from '../../net/result.ts'
import { LongText, PartList } from '../../part-list.tsx'
import { Broken, Still } from '../../picture/picture-views.tsx'
import { MOST_PARTS, ShownView } from '../../result-view.tsx'
import { isObject } from '../../form/schema/values.ts'
import { jsonIn, repeats } from './json-text.ts'
import { JsonTree } from './json-tree.tsx'
import { columnsOf, Table } from './table.tsx'

export function RichResult({ result }: { result: unknown }) {
  const { shown, isError } = readResult(result)
  const { structuredContent } = asRecord(result)
  const others = shown.filter((item) => !(item.kind === 'json' && item.value === structuredContent))
  const parts = others.filter(
    (item) => item.kind !== 'text' || !repeats(item.text, structuredContent),
  )
  return (
    <div class={isError ? 'rich result is-error' : 'rich result'}>
      {isError && <p class="problem">The tool says it failed:</p>}
      {structuredContent !== undefined && (
        <section aria-label="Structured content">
          <h3>Structured content</h3>
          <Value value={structuredContent} />
          {parts.length < others.length && <p class="faint">Its text is the same JSON.</p>}
        </section>
      )}
      <PartList
        items={parts}
        step={MOST_PARTS}
        words="parts"
        view={(item, index) => <PartView key={index} item={item} />}
      />
      {shown.length === 0 && <p class="faint">It answered with nothing.</p>}
    </div>
  )
}

function PartView({ item }: { item: Shown }) {
  if (item.kind === 'image') {
    return (
      <Still isAnimated={item.isAnimated}>
        <Picture url={item.url} name={item.name} />
      </Still>
    )
  }
  if (item.kind === 'json') return <Value value={item.value} />
  if (item.kind === 'text' && item.note === undefined) return <Text text={item.text} />
  return <ShownView item={item} />
}

function Text({ text }: { text: string }) {
  const json = jsonIn(text)
  const [isPlain, setPlain] = useState(json === undefined)
  return (
    // Landmarks of the same name would confuse screen readers.
    <div class="part">
      {json !== undefined && (
        <button
          type="button"
          class="small"
          aria-pressed={!isPlain}
          onClick={() => setPlain(!isPlain)}
        >
          As JSON
        </button>
      )}
      {isPlain || json === undefined ? <LongText text={text} /> : <Value value={json} />}
    </div>
  )
}

function Value({ value }: { value: unknown }) {
  const [isTree, setTree] = useState(false)
  const columns = columnsOf(value)
  if (!columns || !Array.isArray(value)) {
    // A list inside of an object with nothing else is what the tool wants to show.
    const [only, another] = isObject(value) ? Object.entries(value) : []
    if (only && !another && columnsOf(only[1])) {
      return (
        <>
          <h4>{only[0]}</h4>
          <Value value={only[1]} />
        </>
      )
    }
    return <JsonTree value={value} />
  }
  return (
    <>
      <div class="switch" role="group" aria-label="Show as">
        <button type="button" aria-pressed={!isTree} onClick={() => setTree(false)}>
          Table
        </button>
        <button type="button" aria-pressed={isTree} onClick={() => setTree(true)}>
          JSON
        </button>
      </div>
      {isTree ? (
        <JsonTree value={value} />
      ) : (
        <Table rows={value.filter(isObject)} columns={columns} />
      )}
    </>
  )
}

function Picture({ url, name }: { url: string; name: string }) {
  const [size, setSize] = useState('')
  const address = useAddress(url)
  const [isBroken, setBroken] = useState(false)
  if (address === undefined) return <p class="faint">{name}</p>
  if (isBroken) return <Broken name={name} address={address} />
  return (
    <figure class="picture">
      <a href={address} target="_blank" rel="noopener">
        <img
          src={address}
          alt={name}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth} × ${naturalHeight}`)
          }
        />
      </a>
      <figcaption class="faint">{size}</figcaption>
    </figure>
  )
}
