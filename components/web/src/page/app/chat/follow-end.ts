/** Keeps the end of the conversation in view, unless the reader has gone back to something. */
import { useEffect, useRef, useState } from 'preact/hooks'

/** Pixels from the end that still count as the end. */
const NEAR = 80

export interface FollowEnd {
  /** The reader has gone back, and more is below. */
  isAway: boolean
  /** Shows the end, and follows it from now on. */
  toEnd: () => void
  /** To be set on the element that grows. */
  ref: { current: HTMLDivElement | null }
}

export function useFollowEnd(): FollowEnd {
  const ref = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const [isAway, setAway] = useState(false)
  const toEnd = () => {
    follows.current = true
    setAway(false)
    scrollTo(0, document.documentElement.scrollHeight)
  }
  useEffect(() => {
    const page = document.documentElement
    let before = page.scrollTop
    const isNear = () => page.scrollHeight - page.scrollTop - page.clientHeight < NEAR
    const update = () => setAway(!follows.current && !isNear())
    const onScroll = () => {
      const { scrollTop } = page
      if (isNear()) follows.current = true
      else if (scrollTop < before) follows.current = false
      before = scrollTop
      update()
    }
    // Also for pictures, which come after the text around them.
    const grown = new ResizeObserver(() => {
      // Leaving the chat for another view is a change of its size, too.
      if (!ref.current?.isConnected) return
      if (follows.current) scrollTo(0, page.scrollHeight)
      else update()
    })
    if (ref.current) grown.observe(ref.current)
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      grown.disconnect()
      removeEventListener('scroll', onScroll)
    }
  }, [])
  return { isAway, toEnd, ref }
}
