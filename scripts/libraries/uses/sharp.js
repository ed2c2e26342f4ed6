import sharp from 'sharp'

export default async () => {
  const image = sharp({ create: { width: 4, height: 2, channels: 3, background: 'red' } })
  const { width, height } = await sharp(await image.png().toBuffer()).metadata()
  return [width, height]
}
