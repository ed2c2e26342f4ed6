/** Parts of the page whose scripts are loaded when they are first needed. */
import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Load<P> = () => Promise<FunctionComponent<P>>

export interface Loaded<P> {
  /** `undefined` until it is loaded. */
  part: FunctionComponent<P> | undefined
  /** How many times loading has failed. */
  failures: number
  retry: () => void
}

const parts = new Map<unknown, unknown>()

/** A part that was loaded once is there in the first render. */
export function useLoaded<P>(load: Load<P> | undefined): Loaded<P> {
  const [failures, setFailures] = useState(0)
  const [tries, setTries] = useState(0)
  const [, redraw] = useState(0)
  const part = parts.get(load) as FunctionComponent<P> | undefined
  useEffect(() => {
    if (load === undefined || parts.has(load)) return
    let isWanted = true
    load().then(
      (loaded) => {
        parts.set(load, loaded)
        if (isWanted) redraw((count) => count + 1)
      },
      () => {
        if (isWanted) setFailures((count) => count + 1)
      },
    )
    return () => {
      isWanted = false
    }
  }, [load, tries])
  return { part, failures, retry: () => setTries((count) => count + 1) }
}
