import { describe, expect, it } from 'vitest'
import { mediaFormat } from './media-format.ts'

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const stl = (triangles: number) => {
  const file = new Uint8Array(84 + triangles * 50)
  new DataView(file.buffer).setUint32(80, triangles, true)
  return file
}

describe('the format of a file', () => {
  it.each([
    ['\0\0\0\x20ftypisom', 'video', 'mp4'],
    ['\0\0\0\x14ftypqt  ', 'video', 'mov'],
    ['\0\0\0\x20ftypM4A ', 'audio', 'm4a'],
    ['\x1a\x45\xdf\xa3\x01', 'video', 'webm'],
    ['ID3\x04', 'audio', 'mp3'],
    ['\xff\xfb\x90\x44', 'audio', 'mp3'],
    ['RIFF\x24\0\0\0WAVEfmt ', 'audio', 'wav'],
    ['fLaC\0', 'audio', 'flac'],
    ['OggS\0', 'audio', 'ogg'],
    ['glTF\x02\0\0\0', 'model3d', 'glb'],
    ['{"asset":{"version":"2.0"}}', 'model3d', 'gltf'],
    ['{\n  "scene" : 0,', 'model3d', 'gltf'],
    ['ply\nformat binary_little_endian 1.0\n', 'model3d', 'ply'],
    ['ply\r\nformat ascii 1.0\r\n', 'model3d', 'ply'],
    ['\x1f\x8b\x08\0\0\0\0\0', 'model3d', 'spz'],
    ['Kaydara FBX Binary  \0', 'model3d', 'fbx'],
    ['solid cube\n', 'model3d', 'stl'],
    ['# Blender\nmtllib a.mtl\n', 'model3d', 'obj'],
    ['v 1 0 0\n', 'model3d', 'obj'],
  ])('%j is %s, %s', (start, kind, extension) => {
    expect(mediaFormat(bytes(start))).toMatchObject({ kind, extension })
  })

  it('of a binary STL follows from its length', () => {
    expect(mediaFormat(stl(2))).toMatchObject({ extension: 'stl' })
    expect(mediaFormat(stl(2).subarray(1))).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['a picture', '\x89PNG\r\n\x1a\n'],
    ['a picture in a RIFF', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['a page', '<!doctype html>'],
    ['JSON of something else', '{"name": "asset"}'],
    ['a word that begins with ply', 'plywood\n'],
    ['a program', '\x7fELF'],
    ['a stream of AAC frames', '\xff\xf1\x50\x80'],
    ['a JPEG', '\xff\xd8\xff\xe0'],
  ])('is not known of %s', (_, start) => {
    expect(mediaFormat(bytes(start))).toBeUndefined()
  })
})
