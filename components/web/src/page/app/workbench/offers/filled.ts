/** A form that a link fills, and the link to it. A link never sends anything. */
import { useEffect, useState } from 'preact/hooks'
import { forgetKept } from '../../kept-state.ts'

export function useFilled(
  part: string,
  of: string,
  keep: string,
  args: Record<string, unknown> | undefined,
) {
  const [filled, setFilled] = useState<{ args?: Record<string, unknown>; count: number }>({
    count: 0,
  })
  const [said, setSaid] = useState('')
  useEffect(() => {
    if (!args) return
    // A link replaces what was typed.
    forgetKept(`${keep}.typed`)
    forgetKept(`${keep}.json`)
    setFilled(({ count }) => ({ args, count: count + 1 }))
  }, [args])
  const copy = async (typed: Record<string, unknown>) => {
    const query =
      Object.keys(typed).length > 0 ? `?args=${encodeURIComponent(JSON.stringify(typed))}` : ''
    history.replaceState(null, '', `#/${part}/${encodeURIComponent(of)}${query}`)
    try {
      await navigator.clipboard.writeText(location.href)
      setSaid('The link is copied. It fills the form and sends nothing.')
    } catch {
      setSaid('The link is in the address bar. It fills the form and sends nothing.')
    }
  }
  return {
    key: filled.count,
    given: filled.args,
    said,
    copyLink: (typed: Record<string, unknown>) => void copy(typed),
  }
}
