/** The host interfaces of wit/world.wit that a component's JavaScript imports itself. */

declare module 'fermyon:spin/key-value@2.0.0' {
  export class Store {
    private constructor()
    static open(label: string): Store
    get(key: string): Uint8Array | undefined
    set(key: string, value: Uint8Array): void
    delete(key: string): void
    exists(key: string): boolean
    getKeys(): string[]
  }
}

declare module 'fermyon:spin/variables@2.0.0' {
  export function get(name: string): string
}

declare module 'wasi:filesystem/types@0.2.10' {
  export type DescriptorType = 'directory' | 'regular-file' | 'symbolic-link' | 'unknown'
  export class DirectoryEntryStream {
    readDirectoryEntry(): { type: DescriptorType; name: string } | undefined
  }
  export class Descriptor {
    openAt(
      pathFlags: { symlinkFollow?: boolean },
      path: string,
      openFlags: { create?: boolean; directory?: boolean },
      flags: { read?: boolean; write?: boolean },
    ): Descriptor
    statAt(
      pathFlags: { symlinkFollow?: boolean },
      path: string,
    ): {
      type: DescriptorType
      size: bigint
      dataModificationTimestamp?: { seconds: bigint; nanoseconds: number }
    }
    read(length: bigint, offset: bigint): [Uint8Array, boolean]
    readDirectory(): DirectoryEntryStream
  }
}

declare module 'wasi:filesystem/preopens@0.2.10' {
  import type { Descriptor } from 'wasi:filesystem/types@0.2.10'
  export function getDirectories(): [Descriptor, string][]
}
