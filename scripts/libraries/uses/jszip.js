import JSZip from 'jszip'

export default async () => {
  const zip = new JSZip()
  zip.file('a.txt', 'Hello, Zoë', { date: new Date(0) })
  const bytes = await zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
  const read = await JSZip.loadAsync(bytes)
  return [bytes.length, Object.keys(read.files), await read.file('a.txt').async('string')]
}
