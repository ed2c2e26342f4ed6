/** Keeps the end of the conversation in view, unless the reader has gone back to something. */
import { useEffect, useRef, useState } from 'preact/hooks'

/** Pixels from the end that still count as the end. */
const NEAR = 80
/** Milliseconds that a reader who begins to scroll is waited for: Firefox begins with steps of a few pixels. */
const HOLD_MS = 500
const MOVES = ['wheel', 'touchmove', 'keydown']
const KEYS_UP = ['ArrowUp', 'PageUp', 'Home']

export interface FollowEnd {
  /** The reader has gone back, and more is below. */
  isAway: boolean
  /** Shows the end, and follows it from now on. */
  toEnd: () => void
  /** To be set on the element that grows. */
  ref: { current: HTMLDivElement | null }
}

/** @param isEmpty A welcome has no end to follow: it is read from its beginning. */
export function useFollowEnd(isEmpty: boolean): FollowEnd {
  const ref = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAway, setAway] = useState(false)
  const empty = useRef(isEmpty)
  empty.current = isEmpty
  const toEnd = () => {
    follows.current = true
    setAway(false)
    scrollTo(0, document.documentElement.scrollHeight)
  }
  useEffect(() => {
    const page = document.documentElement
    let before = page.scrollTop
    const isNear = () => page.scrollHeight - page.scrollTop - page.clientHeight < NEAR
    let movedAt = -Infinity
    const isMoving = () => performance.now() - movedAt < HOLD_MS
    const onMove = (event: Event) => {
      if (event instanceof WheelEvent && event.deltaY >= 0) return
      if (event instanceof KeyboardEvent && !KEYS_UP.includes(event.key)) return
      movedAt = performance.now()
    }
    const update = () => setAway(!follows.current && !isNear())
    const onScroll = () => {
      const { scrollTop } = page
      if (scrollTop < before && (isMoving() || !isNear())) follows.current = false
      else if (scrollTop >= before && isNear()) follows.current = true
      before = scrollTop
      update()
    }
    // Also for pictures, which come after the text around them.
    const grown = new ResizeObserver(() => {
      // Leaving the chat for another view is a change of its size, too.
      if (!ref.current?.isConnected || empty.current) return
      if (follows.current && !isMoving()) {
        const focused = focusWithin(ref.current)
        scrollTo(0, page.scrollHeight)
        // The reader may have opened it: what has the focus stays in the window.
        focused?.scrollIntoView({ block: 'nearest' })
      } else update()
    })
    if (ref.current) grown.observe(ref.current)
    addEventListener('scroll', onScroll, { passive: true })
    for (const type of MOVES) addEventListener(type, onMove, { passive: true })
    return () => {
      grown.disconnect()
      for (const type of MOVES) removeEventListener(type, onMove)
      removeEventListener('scroll', onScroll)
    }
  }, [])
  return { isAway: isAway && !isEmpty, toEnd, ref }
}

/** What has the focus and is in the window, in this element. */
function focusWithin(element: HTMLElement): Element | undefined {
  const focused = document.activeElement
  if (!focused || focused === element || !element.contains(focused)) return undefined
  const { top, bottom } = focused.getBoundingClientRect()
  return bottom > 0 && top < innerHeight ? focused : undefined
}
