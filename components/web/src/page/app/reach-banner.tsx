/** Says once that the gateway cannot be reached. */
import { useEffect, useRef } from 'preact/hooks'
import { loadModel } from './chat/settings.ts'
import { loadComponents, loadTools } from './net/tools.ts'
import { untilRetry } from './net/online.ts'
import { reach, tryNow } from './net/gateway-reachable.ts'
import { useStore } from './store.ts'

export function ReachBanner() {
  const { isDown, isTrying } = useStore(reach)
  const wasDown = useRef(false)
  useEffect(() => {
    if (!isDown && wasDown.current) {
      void loadTools()
      void loadComponents()
      void loadModel()
    }
    wasDown.current = isDown
    const leave = new AbortController()
    if (isDown) void tryUntilReached(leave.signal)
    return () => leave.abort()
  }, [isDown])
  if (!isDown) return null
  const retry = async () => {
    // The button goes with the banner.
    if (await tryNow()) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }
  return (
    <div class="offline line" role="alert">
      <span class="grow">
        The gateway cannot be reached. What you have typed is kept; the page tries again by itself.
      </span>
      <button type="button" class="small" aria-busy={isTrying} onClick={() => void retry()}>
        {isTrying ? 'Trying…' : 'Try again'}
      </button>
    </div>
  )
}

async function tryUntilReached(signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    await untilRetry(failures)
    if (!signal.aborted && (await tryNow())) return
  }
}
