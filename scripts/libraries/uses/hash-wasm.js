import { md5, xxhash64 } from 'hash-wasm'

export default async () => [await md5('Hello'), await xxhash64('Hello')]
