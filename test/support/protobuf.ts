/** What stands at a path of field numbers in a protobuf message: every length-delimited value there. */
export function fieldsAt(message: Uint8Array, path: readonly number[]): Uint8Array[] {
  const [wanted, ...rest] = path
  if (wanted === undefined) return [message]
  return delimited(message)
    .filter(({ field }) => field === wanted)
    .flatMap(({ bytes }) => fieldsAt(bytes, rest))
}

function delimited(message: Uint8Array): { field: number; bytes: Uint8Array }[] {
  const found: { field: number; bytes: Uint8Array }[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const type = tag & 7
    if (type === 0) varint()
    else if (type === 1) at += 8
    else if (type === 5) at += 4
    else {
      const size = varint()
      found.push({ field: tag >>> 3, bytes: message.subarray(at, at + size) })
      at += size
    }
  }
  return found
}
