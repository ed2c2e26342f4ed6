/** A file of a result. Its script is loaded with the first one; until then there is a link. */
import { useLoaded } from '../frame/loaded.ts'
import { Icon } from '../icons.tsx'
import type { FileViewProps } from './file-view.tsx'

const load = async () => (await import('./file-view.tsx')).FileView

export function LoadedFile(props: FileViewProps) {
  const { part: View } = useLoaded(load)
  if (View) return <View {...props} />
  const { address, name, mimeType } = props
  return (
    <a class="button small" href={address} download={name}>
      <Icon name="download" /> {name} ({mimeType || 'file'})
    </a>
  )
}
