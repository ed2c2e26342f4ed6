/** Files that are dropped anywhere are attached to the message: a browser would leave the page to show them. */
import { useEffect, useState } from 'preact/hooks'
import { addFiles } from './attached-files.tsx'

export function DropZone() {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const isFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!isFile(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!isFile(event)) return
      event.preventDefault()
      location.hash = '#/chat'
      void addFiles(event.dataTransfer?.files ?? [])
    }
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  if (!isOver) return null
  return (
    <div class="drop-zone" aria-hidden="true">
      <p>Drop files to attach them to your message</p>
    </div>
  )
}
