/** Painting the parts of a picture that are to be changed: with a pointer, or with the keyboard. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { draw, maskOf, type Stroke } from './strokes.ts'
import './mask-brush.css'

interface MaskBrushProps {
  address: string
  /** With the mask as a data URL; with nothing when it stays as it is. */
  onDone: (mask?: string) => void
}

const SIZES = { least: 8, most: 200, first: 56 }
/** Share of the picture that an arrow key moves the brush. */
const STEP = 0.025

export function MaskBrush({ address, onDone }: MaskBrushProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [size, setSize] = useState(SIZES.first)
  const [extent, setExtent] = useState({ width: 0, height: 0 })
  const [at, setAt] = useState({ x: 0, y: 0 })
  const [hasKeys, setKeys] = useState(false)
  const isDown = useRef(false)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (canvas.current) draw(canvas.current, strokes, hasKeys ? { ...at, size } : undefined)
  }, [strokes, extent, at, size, hasKeys])

  const placeOf = ({ clientX, clientY }: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    if (!box) return { x: 0, y: 0 }
    return {
      x: ((clientX - box.left) / box.width) * extent.width,
      y: ((clientY - box.top) / box.height) * extent.height,
    }
  }
  const begin = (point: { x: number; y: number }) =>
    setStrokes((before) => [...before, { size, points: [point] }])
  const go = (point: { x: number; y: number }) =>
    setStrokes((before) => {
      const last = before.at(-1)
      return last ? [...before.slice(0, -1), { ...last, points: [...last.points, point] }] : before
    })
  const undo = () => setStrokes((before) => before.slice(0, -1))
  const onKey = (event: KeyboardEvent) => {
    const step = Math.max(1, Math.max(extent.width, extent.height) * STEP)
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    }
    const move = moves[event.key]
    if (move) {
      const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)
      const to = {
        x: within(at.x + move[0], extent.width),
        y: within(at.y + move[1], extent.height),
      }
      setAt(to)
      if (event.shiftKey) go(to)
    } else if (event.key === ' ' || event.key === 'Enter') begin(at)
    else if (event.key === '+') setSize((now) => Math.min(now + 8, SIZES.most))
    else if (event.key === '-') setSize((now) => Math.max(now - 8, SIZES.least))
    else if (event.key === 'z' || event.key === 'Backspace') undo()
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} class="mask-brush" aria-label="Paint a mask" onClose={() => onDone()}>
      <div class="mask-picture">
        <img
          src={address}
          alt=""
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
            setExtent({ width, height })
            setAt({ x: width / 2, y: height / 2 })
          }}
        />
        <canvas
          ref={canvas}
          width={extent.width}
          height={extent.height}
          tabIndex={0}
          role="application"
          aria-label="Mask. Arrow keys move the brush, Space paints, Shift and an arrow key paint a line, plus and minus change the size, Z takes back."
          onFocus={() => setKeys(true)}
          onBlur={() => setKeys(false)}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            isDown.current = true
            begin(placeOf(event))
          }}
          onPointerMove={(event) => isDown.current && go(placeOf(event))}
          onPointerUp={() => (isDown.current = false)}
          onPointerCancel={() => (isDown.current = false)}
        />
      </div>
      <p class="about">Paint over what is to change. Everything else stays.</p>
      <div class="actions">
        <label class="line">
          Brush
          <input
            type="range"
            min={SIZES.least}
            max={SIZES.most}
            value={size}
            onInput={(event) => setSize(Number(event.currentTarget.value))}
          />
        </label>
        <button type="button" class="small" disabled={strokes.length === 0} onClick={undo}>
          Undo
        </button>
        <button
          type="button"
          class="small"
          disabled={strokes.length === 0}
          onClick={() => setStrokes([])}
        >
          Clear
        </button>
        <span class="grow" />
        <button type="button" class="small" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          class="small primary"
          disabled={strokes.length === 0}
          onClick={() => onDone(maskOf(extent, strokes))}
        >
          Use this mask
        </button>
      </div>
    </dialog>
  )
}
