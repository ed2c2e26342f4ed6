/** The page's own icons, drawn with the colour of the text beside them. */

const PATHS = {
  chat: 'M4 5h16v11H9l-5 4z',
  gallery: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  tools: 'M14 6a4 4 0 0 1 5-1l-3 3 1 2 2 1 3-3a4 4 0 0 1-5 5l-8 8-3-3 8-8a4 4 0 0 1 0-4z',
  jobs: 'M12 7v5l3 2M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  pause: 'M9 5v14M15 5v14',
  attach: 'M8 12l6-6a3 3 0 0 1 4 4l-8 8a5 5 0 0 1-7-7l7-7',
  vary: 'M4 7h4l8 10h4M4 17h4l2-3M14 9l2-2h4M18 5l2 2-2 2M18 15l2 2-2 2',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M4 20c1-4 4-6 8-6s7 2 8 6',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  down: 'M12 5v14M6 13l6 6 6-6',
  up: 'M12 19V5M6 11l6-6 6 6',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  connect: 'M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16 16l5 5',
  more: 'M5 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2M12 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2M19 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5',
  moon: 'M20 14a8 8 0 0 1-10-10 8 8 0 1 0 10 10z',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  again: 'M20 5v5h-5M19.5 10a8 8 0 1 0 .5 4',
  check: 'M5 13l4 4L19 7',
  fold: 'M7 10l5 5 5-5',
  play: 'M7 5l12 7-12 7z',
  pen: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4',
  panel: 'M3 5h18v14H3zM9 5v14',
  book: 'M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
