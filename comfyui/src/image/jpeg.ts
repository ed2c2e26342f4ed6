/**
 * Reads the segments of a JPEG before its pixels.
 *
 * @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf annex B; CIPA DC-007 for files of several pictures (MPF)
 */

/** Segments that are looked at. A photo has some dozens. */
const MAX_SEGMENTS = 5_000
const START_OF_SCAN = 0xda
const APP2 = 0xe2
const MPF = 0x4d504600
const NUMBER_OF_IMAGES = 0xb001
const ENTRIES = 0xb002
const ENTRY_BYTES = 16
/** A segment has no more entries. */
const MAX_ENTRIES = 4_096

/** SOF0 to SOF15, except DHT, JPG and DAC, which have codes in this range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** @throws {RangeError} when the file is cut off or not a JPEG. */
export function jpegSize(view: DataView): { width: number; height: number } {
  for (const { marker, at } of segments(view)) {
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
  }
  throw new RangeError('no frame header')
}

interface Pictures {
  count: number
  /** Of the largest. */
  width: number
  height: number
}

/**
 * The pictures that Pillow finds in the file.
 *
 * @throws {RangeError} when the file is cut off, or has a second size.
 */
export function jpegPictures(view: DataView): Pictures {
  const pictures = { count: 1, width: 0, height: 0 }
  let headers = 0
  for (const { marker, at } of segments(view)) {
    if (isFrame(marker)) {
      if (++headers > 1) throw new RangeError('two frame headers')
      enlarge(pictures, view)
    }
    if (marker === APP2 && view.getUint32(at + 4) === MPF) addPictures(pictures, view, at + 8)
  }
  return pictures
}

/** Up to the pixels. Fill bytes can precede a marker; markers without a length have no place there. */
function* segments(view: DataView): Generator<{ marker: number; at: number }> {
  let at = 2
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    while (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xff) at++
    const marker = view.getUint8(at + 1)
    const hasLength = marker >= 0xc0 && (marker < 0xd0 || marker > 0xd9)
    if (view.getUint8(at) !== 0xff || !hasLength) throw new RangeError('no segment')
    if (marker === START_OF_SCAN) return
    const length = view.getUint16(at + 2)
    if (length < 2) throw new RangeError('a segment of no length')
    yield { marker, at }
    at += 2 + length
  }
  throw new RangeError('too many segments')
}

/** From the index of the pictures, a TIFF directory. */
function addPictures(pictures: Pictures, view: DataView, start: number): void {
  const little = view.getUint16(start) === 0x4949
  const directory = start + view.getUint32(start + 4, little)
  const tags = view.getUint16(directory, little)
  for (let tag = 0; tag < tags; tag++) {
    const at = directory + 2 + tag * 12
    const kind = view.getUint16(at, little)
    if (kind === NUMBER_OF_IMAGES) {
      pictures.count = Math.max(pictures.count, view.getUint32(at + 8, little))
    }
    if (kind !== ENTRIES) continue
    const count = Math.floor(view.getUint32(at + 4, little) / ENTRY_BYTES)
    pictures.count = Math.max(pictures.count, count)
    const entries = start + view.getUint32(at + 8, little)
    for (let entry = 0; entry < Math.min(count, MAX_ENTRIES); entry++) {
      const offset = view.getUint32(entries + entry * ENTRY_BYTES + 8, little)
      if (offset > 0) enlarge(pictures, view, start + offset)
    }
  }
}

function enlarge(pictures: Pictures, view: DataView, from = 0): void {
  try {
    const { width, height } = jpegSize(
      new DataView(view.buffer, view.byteOffset + from, view.byteLength - from),
    )
    pictures.width = Math.max(pictures.width, width)
    pictures.height = Math.max(pictures.height, height)
  } catch (error) {
    // Many programs remove the further pictures and keep the index.
    if (!(error instanceof RangeError)) throw error
  }
}
