/** Keys of `node:crypto`: secret ones; the others are those of Web Crypto. */
import { Buffer } from './buffer.ts'

export class KeyObject {
  readonly type = 'secret'
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get bytes(): Uint8Array {
    return this.#bytes
  }
  get symmetricKeySize(): number {
    return this.#bytes.length
  }
  get [Symbol.toStringTag](): string {
    return 'KeyObject'
  }

  export({ format = 'buffer' }: { format?: string } = {}): Buffer | { kty: string; k: string } {
    const bytes = Buffer.from(this.#bytes)
    return format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes
  }

  equals(other: KeyObject): boolean {
    return Buffer.from(this.#bytes).equals(other.bytes)
  }
}

export function createSecretKey(
  key: string | ArrayBufferView | ArrayBuffer,
  encoding?: string,
): KeyObject {
  const bytes =
    typeof key === 'string'
      ? Buffer.from(key, encoding as BufferEncoding)
      : new Uint8Array(
          ArrayBuffer.isView(key)
            ? key.buffer.slice(key.byteOffset, key.byteOffset + key.byteLength)
            : key.slice(0),
        )
  return new KeyObject(bytes)
}
