/** Bytes of a WebAssembly page. */
export const PAGE_BYTES = 65_536

/** How the names of what the host adds to a module begin. */
export const RESERVED = 'ftl:'

/** Export of the guest's own idea of its memory size, in pages. Its presence marks a resettable module. */
export const PAGE_COUNT_EXPORT = 'ftl:pages'

/** Exports of the module's mutable globals: this and a number. */
export const STATE_EXPORT = 'ftl:state-'

/** Export of the memory with the marks: one byte, not zero, for each piece of the first memory that was written. */
export const MARKS_EXPORT = 'ftl:marks'

/** Bytes one mark stands for. A store may reach up to fifteen bytes into the next piece. */
export const MARKED_BYTES = 4096
