/** Strokes of a brush, as they are shown and as the mask that a tool takes. */

export interface Stroke {
  /** In pixels of the picture. */
  size: number
  points: readonly { x: number; y: number }[]
}

interface Cursor {
  x: number
  y: number
  size: number
}

/** Shows them over the picture. */
export function draw(
  canvas: HTMLCanvasElement,
  strokes: readonly Stroke[],
  cursor: Cursor | undefined,
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.clearRect(0, 0, canvas.width, canvas.height)
  paint(context, strokes, '#e0218a')
  if (!cursor) return
  for (const [colour, width] of [
    ['#000', 6],
    ['#fff', 3],
  ] as const) {
    context.beginPath()
    context.strokeStyle = colour
    context.lineWidth = width
    context.arc(cursor.x, cursor.y, cursor.size / 2, 0, 2 * Math.PI)
    context.stroke()
  }
}

/** @returns a PNG of this size as a data URL: transparent where the picture is to change, black elsewhere. */
export function maskOf(
  { width, height }: { width: number; height: number },
  strokes: readonly Stroke[],
): string {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  if (context) {
    context.fillRect(0, 0, width, height)
    context.globalCompositeOperation = 'destination-out'
    paint(context, strokes, '#000')
  }
  return canvas.toDataURL('image/png')
}

function paint(
  context: CanvasRenderingContext2D,
  strokes: readonly Stroke[],
  colour: string,
): void {
  for (const { size, points } of strokes) {
    const [first] = points
    if (!first) continue
    context.beginPath()
    context.lineCap = 'round'
    context.lineJoin = 'round'
    context.lineWidth = size
    context.strokeStyle = colour
    context.moveTo(first.x, first.y)
    // A line of no length is a dot.
    for (const { x, y } of points.length > 1 ? points : [first]) context.lineTo(x, y)
    context.stroke()
  }
}
