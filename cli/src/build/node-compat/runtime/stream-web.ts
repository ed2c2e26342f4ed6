const { CompressionStream, DecompressionStream, ReadableStream } = globalThis
const { TextDecoderStream, TextEncoderStream, TransformStream, WritableStream } = globalThis

const all = {
  CompressionStream,
  DecompressionStream,
  ReadableStream,
  TextDecoderStream,
  TextEncoderStream,
  TransformStream,
  WritableStream,
}
export { CompressionStream, DecompressionStream, ReadableStream }
export { TextDecoderStream, TextEncoderStream, TransformStream, WritableStream }
export default all
