/** A button with a panel below it. Escape closes it, and so does a click or the focus elsewhere. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from '../../icons.tsx'
import './menu.css'

interface MenuProps {
  title: string
  icon: IconName
  /** Gets what closes the panel. */
  children: (close: () => void) => ComponentChildren
}

export function Menu({ title, icon, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const leave = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        onClick={() => setOpen((before) => !before)}
      >
        <Icon name={icon} /> <span class="menu-title">{title}</span>
        <Icon name="fold" />
      </button>
      {isOpen && (
        <div class="menu-panel" role="group" aria-label={title}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
