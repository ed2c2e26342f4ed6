import stream from 'readable-stream'

export const { Duplex, PassThrough, Readable, Stream, Transform, Writable } = stream
export const { addAbortSignal, compose, finished, pipeline, promises } = stream
export default stream
