/** One picture as large as the window allows, with what can be done with it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { useAddress } from '../jobs/file-links.ts'
import { catalog, wordsOf } from '../net/tools.ts'
import { useStore } from '../store.ts'
import { Compare } from './compare.tsx'
import { actionsFor } from './picture-actions.ts'
import type { Picture } from './pictures.ts'
import './picture-viewer.css'

interface PictureViewerProps {
  pictures: readonly Picture[]
  /** Place of the picture that is shown. */
  at: number
  onMove: (to: number) => void
  /** Something goes on in the chat. */
  onActed: () => void
  onClose: () => void
}

/** Pictures to choose from. */
const MOST_COMPARED = 200

export function PictureViewer({ pictures, at, onMove, onActed, onClose }: PictureViewerProps) {
  const { tools } = useStore(catalog)
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const full = useRef<HTMLButtonElement>(null)
  const [other, setOther] = useState<number>()
  const [problem, setProblem] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    const change = () => {
      const shown = document.fullscreenElement as HTMLElement | null
      // In full screen the button is not in sight: the keys are for the slider, or for the picture.
      if (shown) (shown.querySelector('input') ?? shown).focus()
      else full.current?.focus()
    }
    document.addEventListener('fullscreenchange', change)
    return () => document.removeEventListener('fullscreenchange', change)
  }, [])
  const picture = pictures[at]
  const address = useAddress(picture?.url ?? '')
  if (!picture) return null
  const { prompt, seed, url } = picture
  const move = (step: number) => {
    setOther(undefined)
    onMove((at + step + pictures.length) % pictures.length)
  }
  const act = async (run: () => Promise<void>) => {
    setProblem('')
    // A job that has begun shows itself in the chat, and so does a failure after that.
    const failed = await Promise.race([
      run().then(
        () => undefined,
        (error: unknown) => wordsOf(error),
      ),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 600)),
    ])
    if (failed === undefined) onActed()
    else setProblem(failed)
  }
  const fullScreen = () =>
    stage.current
      ?.requestFullscreen()
      .catch(() => setProblem('This browser does not permit the full screen here.'))
  const compared = other === undefined ? undefined : pictures[other]
  return (
    <dialog
      ref={dialog}
      class="viewer"
      aria-label={prompt}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement) return
        if (event.key === 'ArrowRight') move(1)
        else if (event.key === 'ArrowLeft') move(-1)
      }}
    >
      <div class="viewer-picture" ref={stage} tabIndex={-1}>
        {compared ? (
          <Compare one={picture} two={compared} />
        ) : (
          address !== undefined && <img src={address} alt={prompt} />
        )}
      </div>
      <div class="viewer-side">
        <div class="line">
          {pictures.length > 1 && (
            <span class="faint grow">
              {at + 1} of {pictures.length}
            </span>
          )}
          <span class="grow" />
          <button
            type="button"
            class="bare"
            aria-label="Close the picture"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </div>
        <p class="viewer-prompt">{prompt}</p>
        {seed !== undefined && <p class="faint">Seed {seed}</p>}
        <div class="viewer-actions">
          {actionsFor(picture, tools).map(({ words, run }) => (
            <button key={words} type="button" onClick={() => void act(run)}>
              {words}
            </button>
          ))}
          {address !== undefined && (
            <a class="button" href={address} download={nameOf(url)}>
              <Icon name="download" /> Download
            </a>
          )}
          <button type="button" ref={full} onClick={() => void fullScreen()}>
            Full screen
          </button>
        </div>
        {pictures.length > 1 && (
          <>
            <label class="control-field">
              <span>Compare with</span>
              <select
                value={other === undefined ? '' : String(other)}
                onChange={({ currentTarget: { value } }) =>
                  setOther(value === '' ? undefined : Number(value))
                }
              >
                <option value="">no other picture</option>
                {pictures.slice(0, MOST_COMPARED).map(
                  (one, place) =>
                    place !== at && (
                      <option key={one.url} value={String(place)}>
                        {place + 1}: {one.prompt.slice(0, 40)}
                        {one.seed !== undefined && ` (seed ${one.seed})`}
                      </option>
                    ),
                )}
              </select>
            </label>
            <div class="line">
              <button type="button" class="small" onClick={() => move(-1)}>
                Previous
              </button>
              <button type="button" class="small" onClick={() => move(1)}>
                Next
              </button>
            </div>
          </>
        )}
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </dialog>
  )
}

function nameOf(url: string): string {
  return url.startsWith('data:') ? 'picture' : (/[^/]+$/.exec(url)?.[0] ?? 'picture')
}
