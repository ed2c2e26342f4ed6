/** Two pictures in one place, and a slider between them. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from '../jobs/file-links.ts'
import type { Picture } from './pictures.ts'

export function Compare({ one, two }: { one: Picture; two: Picture }) {
  const [share, setShare] = useState(50)
  const first = useAddress(one.url)
  const second = useAddress(two.url)
  const root = useRef<HTMLDivElement>(null)
  // By the script: the page's policy permits no style in an attribute.
  useEffect(() => root.current?.style.setProperty('--share', `${share}%`), [share])
  return (
    <div class="compare" ref={root}>
      <img src={first} alt={`First: ${one.prompt}`} />
      <img class="compare-second" src={second} alt={`Second: ${two.prompt}`} />
      <span class="compare-line" aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={100}
        value={share}
        aria-label="How much of the first picture is shown"
        onInput={(event) => setShare(Number(event.currentTarget.value))}
      />
    </div>
  )
}
