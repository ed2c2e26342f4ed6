import { Jimp } from 'jimp'

export default async () => {
  const image = new Jimp({ width: 4, height: 2, color: 0xff0000ff })
  const read = await Jimp.read(await image.getBuffer('image/png'))
  return [read.width, read.height, read.getPixelColor(1, 1)]
}
