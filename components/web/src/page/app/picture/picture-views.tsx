/** A picture that is shown, and a file that is not. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { bytesOf, sizeInWords, type Unshown } from './inline.ts'

interface StillProps {
  isAnimated: boolean | undefined
  children: ComponentChildren
}

/** Shows a picture that moves only on request, if the user has asked the system for less motion. */
export function Still({ isAnimated, children }: StillProps) {
  const [isWanted, setWanted] = useState(false)
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isAnimated !== true || !isStill || isWanted) return <>{children}</>
  return (
    <p class="notice">
      This picture moves.{' '}
      <button type="button" class="small" onClick={() => setWanted(true)}>
        Show it
      </button>
    </p>
  )
}

export function UnshownView({ item: { name, mimeType, why, data } }: { item: Unshown }) {
  const [problem, setProblem] = useState('')
  const download = async () => {
    try {
      const { downloadBase64 } = await import('./download.ts')
      await downloadBase64(data, mimeType)
      setProblem('')
    } catch {
      setProblem('It cannot be downloaded: the tool has not sent it as base64.')
    }
  }
  return (
    <div class="notice">
      <p>
        {name} ({mimeType || 'no type'}) is not shown: {why}.
      </p>
      <button type="button" class="small" onClick={() => void download()}>
        <Icon name="download" /> Download ({sizeInWords(bytesOf(data))})
      </button>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** In place of a picture that the browser could not read. */
export function Broken({ name, address }: { name: string; address: string }) {
  return (
    <p class="notice">
      {name}: the browser cannot show this picture.{' '}
      <a href={address} download={name}>
        Download
      </a>
    </p>
  )
}
