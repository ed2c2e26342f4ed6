/** The files that a component can read, for a platform that gets a copy of them. */
import { type ComponentManifest, type Manifest, MountedFiles } from 'ftl-host'

/** @returns content by absolute path. */
export function mountedFiles(
  { folder }: Pick<Manifest, 'folder'>,
  { files, excludeFiles }: Pick<ComponentManifest, 'files' | 'excludeFiles'>,
): Map<string, Buffer> {
  const tree = new MountedFiles({ folder, files, excludeFiles })
  const found = new Map<string, Buffer>()
  const collect = (path: readonly string[]) => {
    for (const { name, directory } of tree.list(path)) {
      const inside = [...path, name]
      if (directory) collect(inside)
      else found.set(`/${inside.join('/')}`, contentOf(tree, inside))
    }
  }
  if (!tree.empty) collect([])
  return found
}

function contentOf(tree: MountedFiles, path: readonly string[]): Buffer {
  const file = tree.open(path)
  try {
    const { size } = file.stat()
    return Buffer.from(file.read(0, Number(size)))
  } finally {
    file.close()
  }
}
